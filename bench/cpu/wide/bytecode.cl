// Each work-item interprets its own program on its own stack.
enum { PUSH, ADD, SUB, MUL, XOR, NEG, SHIFT, DUP };

kernel void bytecode(global const uchar* code, global const int* input, global int* result, int length) {
    const int id = get_global_id(0);
    global const uchar* program = code + id * length;
    int stack[20];
    int sp = 0;
    int accumulator = input[id];
    for (int pc = 0; pc < length; pc++) {
        const uint op = program[pc] >> 4, operand = program[pc] & 15;
        switch (op) {
            case PUSH: stack[sp++] = accumulator + (int)operand; break;
            case ADD: sp--; stack[sp - 1] += stack[sp]; break;
            case SUB: sp--; stack[sp - 1] -= stack[sp]; break;
            case MUL: sp--; stack[sp - 1] *= stack[sp]; break;
            case XOR: sp--; stack[sp - 1] ^= stack[sp]; break;
            case NEG: stack[sp - 1] = -stack[sp - 1]; break;
            case SHIFT: stack[sp - 1] >>= operand & 3; accumulator++; break;
            case DUP: stack[sp] = stack[sp - 1]; sp++; break;
        }
    }
    int sum = accumulator;
    while (sp > 0) sum = sum * 31 + stack[--sp];
    result[id] = sum;
}
