#include "secret"
