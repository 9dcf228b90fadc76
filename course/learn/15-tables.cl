// Constants outside functions lie in constant memory. Store the number of the day in the year: month 0 is January,
// day 1 its first day, and the year is no leap year. The table must be one of the days before each month.
// NOT DONE
constant int before[12] = {0, 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30};

kernel void day_of_year(global const int* month, global const int* day, global int* out) {
    int i = get_global_id(0);
    out[i] = before[month[i]] + day[i];
}
