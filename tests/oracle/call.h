// SPDX-License-Identifier: Apache-2.0
// Calls a kernel for one work-item and reports what it threw.
#pragma once

namespace oracle {

template <typename T>
T argument(uint64_t bits) {
  T value;
  __builtin_memcpy(&value, &bits, sizeof value);
  return value;
}

template <typename... P, size_t... I>
void pass(void (*f)(P...), const uint64_t* bits, std::index_sequence<I...>) {
  f(argument<P>(bits[I])...);
}

template <typename T>
Thrown thrown(const char* type, T value) {
  Thrown t{type, 0};
  __builtin_memcpy(&t.bits, &value, sizeof value);
  return t;
}

template <typename... P>
Thrown call(void (*f)(P...), const Item& i) {
  item = &i;
  try {
    pass(f, i.arguments, std::make_index_sequence<sizeof...(P)>());
    return {nullptr, 0};
  }
#define ORACLE_CATCH(type)   \
  catch (type v) {           \
    return thrown(#type, v); \
  }
  ORACLE_CATCH(bool)
  ORACLE_CATCH(char)
  ORACLE_CATCH(uchar)
  ORACLE_CATCH(short)
  ORACLE_CATCH(ushort)
  ORACLE_CATCH(int)
  ORACLE_CATCH(uint)
  ORACLE_CATCH(long)
  ORACLE_CATCH(ulong)
  ORACLE_CATCH(float)
  ORACLE_CATCH(double)
  catch (FailedAssert) {
    return {"assert", 0};
  }
  catch (...) {
    return {"something else", 0};
  }
}

}  // namespace oracle
