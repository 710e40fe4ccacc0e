// Stands in for a library that older releases of wine lack. Rust's standard library takes its random numbers from it.
#include <windows.h>

BOOLEAN WINAPI SystemFunction036(PVOID buffer, ULONG length);

__declspec(dllexport) BOOL WINAPI ProcessPrng(PBYTE buffer, SIZE_T length) {
  const ULONG most = 0x10000000;
  while (length > 0) {
    ULONG part = length > most ? most : (ULONG)length;
    if (!SystemFunction036(buffer, part)) return FALSE;
    buffer += part;
    length -= part;
  }
  return TRUE;
}
