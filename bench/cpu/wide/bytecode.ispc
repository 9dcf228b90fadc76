export void bytecode(uniform const uint8 code[], uniform const int input[], uniform int result[], uniform int length,
                     uniform int nx, uniform int ny, uniform int nz) {
    foreach (id = 0 ... nx) {
        int stack[20];
        int sp = 0;
        int accumulator = input[id];
        for (uniform int pc = 0; pc < length; pc++) {
            const unsigned int byte = code[id * length + pc];
            const unsigned int op = byte >> 4;
            const unsigned int operand = byte & 15;
            switch (op) {
                case 0: stack[sp] = accumulator + (int)operand; sp++; break;
                case 1: sp--; stack[sp - 1] += stack[sp]; break;
                case 2: sp--; stack[sp - 1] -= stack[sp]; break;
                case 3: sp--; stack[sp - 1] *= stack[sp]; break;
                case 4: sp--; stack[sp - 1] ^= stack[sp]; break;
                case 5: stack[sp - 1] = -stack[sp - 1]; break;
                case 6: stack[sp - 1] = stack[sp - 1] >> (operand & 3); accumulator++; break;
                case 7: stack[sp] = stack[sp - 1]; sp++; break;
            }
        }
        int sum = accumulator;
        while (sp > 0) {
            sp--;
            sum = sum * 31 + stack[sp];
        }
        result[id] = sum;
    }
}

// One program after the other.
export void bytecode_expert(uniform const uint8 code[], uniform const int input[], uniform int result[],
                            uniform int length, uniform int nx, uniform int ny, uniform int nz) {
    for (uniform int id = 0; id < nx; id++) {
        uniform int stack[20];
        uniform int sp = 0;
        uniform int accumulator = input[id];
        for (uniform int pc = 0; pc < length; pc++) {
            const uniform unsigned int byte = code[id * length + pc];
            const uniform unsigned int op = byte >> 4;
            const uniform unsigned int operand = byte & 15;
            switch (op) {
                case 0: stack[sp] = accumulator + (uniform int)operand; sp++; break;
                case 1: sp--; stack[sp - 1] += stack[sp]; break;
                case 2: sp--; stack[sp - 1] -= stack[sp]; break;
                case 3: sp--; stack[sp - 1] *= stack[sp]; break;
                case 4: sp--; stack[sp - 1] ^= stack[sp]; break;
                case 5: stack[sp - 1] = -stack[sp - 1]; break;
                case 6: stack[sp - 1] = stack[sp - 1] >> (operand & 3); accumulator++; break;
                case 7: stack[sp] = stack[sp - 1]; sp++; break;
            }
        }
        uniform int sum = accumulator;
        while (sp > 0) {
            sp--;
            sum = sum * 31 + stack[sp];
        }
        result[id] = sum;
    }
}
