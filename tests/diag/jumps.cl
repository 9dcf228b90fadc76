int pick(int x) {
    switch (x) {
        case 1: return 2;
        case 1: return 3;
        case x: break;
        default: ;
        default: ;
    }
    break;
    while (x) { break; continue; }
    continue;
    case 4: ;
    goto inside;
    goto handler;
    goto nowhere;
    try { inside: x = 1; switch (x) { try { case 7: ; } catch (...) { } } goto out; }
    catch (int e) { handler: ; goto out; }
    catch (int again) { }
    catch (...) { throw; }
    catch (float f) { }
out:
    x = 3;
out:
    throw;
    return;
}
void nothing(global int* p) {
    throw p;
    return 3;
}
void later() { try { } catch (global int* p) { } try { } x = 2; }
