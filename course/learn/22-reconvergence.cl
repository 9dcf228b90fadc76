// Two arms jump to one piece of code. A machine with a stack lets lanes wait for each other only where all paths have
// come together, so it executes the code at "check" once for each arm. Write it so that the lanes of both arms execute
// it at the same time.
// NOT DONE
kernel void checks(global const int* in, global int* out) {
    int i = get_global_id(0), x = in[i], sum = 0;
    if (i & 1) {
        if (x < 60) goto check;
        out[i] = 1;
        return;
    } else {
        if (x > 3) goto check;
        out[i] = 2;
        return;
    }
check:
    for (int k = 0; k < 10; k++)
        sum += (x * k) % 7;
    out[i] = sum;
}
