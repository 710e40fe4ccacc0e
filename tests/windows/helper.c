// What the tests of Windows need on the other side: a program of plain C, which no runtime puts into a job of its own.
//
//   tree FILE         starts a leaf, writes "SELF LEAF\n" to FILE and waits
//   tree-exit FILE    the same, but ends with code 5 and leaves its leaf behind
//   leaf              waits
//   alive PID         exit code 0 where the process runs, 1 where it does not
//   end PID           ends the process
//   handle VALUE FILE exit code 0 where the handle is one of FILE in this process, 1 where it is not
//   environment       prints the environment block as it lies in memory, a line for each entry
//   line              prints the length of the command line in UTF-16 units
//   in-job ARGS...    goes into a job that ends with it, runs the command line ARGS and ends with its code
//   anything else     prints every argument on a line of its own, in UTF-8
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>
#include <windows.h>

static void wait_long(void) { Sleep(600000); }

static void print_utf8(const wchar_t *text) {
  int bytes = WideCharToMultiByte(CP_UTF8, 0, text, -1, NULL, 0, NULL, NULL);
  char *utf8 = malloc(bytes > 0 ? (size_t)bytes : 1);
  if (utf8 != NULL && WideCharToMultiByte(CP_UTF8, 0, text, -1, utf8, bytes, NULL, NULL) > 0) printf("%s\n", utf8);
  free(utf8);
}

static int start(wchar_t *line, PROCESS_INFORMATION *info) {
  STARTUPINFOW startup = {0};
  startup.cb = sizeof startup;
  return CreateProcessW(NULL, line, NULL, NULL, FALSE, 0, NULL, NULL, &startup, info);
}

static int tree(const wchar_t *file, int stays) {
  wchar_t self[MAX_PATH], line[MAX_PATH + 16];
  PROCESS_INFORMATION leaf;
  if (GetModuleFileNameW(NULL, self, MAX_PATH) == 0) return 2;
  swprintf(line, MAX_PATH + 16, L"\"%ls\" leaf", self);
  if (!start(line, &leaf)) return 2;
  FILE *out = _wfopen(file, L"w");
  if (out == NULL) return 2;
  fprintf(out, "%lu %lu\n", GetCurrentProcessId(), leaf.dwProcessId);
  fclose(out);
  if (stays) wait_long();
  return 5;
}

static int alive(DWORD pid) {
  HANDLE process = OpenProcess(SYNCHRONIZE, FALSE, pid);
  if (process == NULL) return 1;
  int runs = WaitForSingleObject(process, 0) == WAIT_TIMEOUT;
  CloseHandle(process);
  return runs ? 0 : 1;
}

static int end(DWORD pid) {
  HANDLE process = OpenProcess(PROCESS_TERMINATE, FALSE, pid);
  return process != NULL && TerminateProcess(process, 9) ? 0 : 1;
}

static int is_of(HANDLE handle, const wchar_t *file) {
  BY_HANDLE_FILE_INFORMATION one, other;
  HANDLE opened = CreateFileW(file, 0, FILE_SHARE_READ | FILE_SHARE_WRITE, NULL, OPEN_EXISTING, 0, NULL);
  if (!GetFileInformationByHandle(opened, &other)) return 2;
  if (!GetFileInformationByHandle(handle, &one)) return 1;
  return one.dwVolumeSerialNumber == other.dwVolumeSerialNumber && one.nFileIndexLow == other.nFileIndexLow &&
                 one.nFileIndexHigh == other.nFileIndexHigh
             ? 0
             : 1;
}

static int environment(void) {
  wchar_t *block = GetEnvironmentStringsW();
  if (block == NULL) return 2;
  for (wchar_t *entry = block; *entry != 0; entry += wcslen(entry) + 1) print_utf8(entry);
  return 0;
}

// Everything after the first two words of this command line, as it stands there.
static wchar_t *rest_of_line(void) {
  wchar_t *at = GetCommandLineW();
  for (int word = 0; word < 2; word++) {
    int quoted = 0;
    while (*at != 0 && (quoted || (*at != L' ' && *at != L'\t'))) quoted ^= *at++ == L'"';
    while (*at == L' ' || *at == L'\t') at++;
  }
  return at;
}

static int in_job(void) {
  JOBOBJECT_EXTENDED_LIMIT_INFORMATION limits = {0};
  PROCESS_INFORMATION child;
  DWORD code = 2;
  HANDLE job = CreateJobObjectW(NULL, NULL);
  limits.BasicLimitInformation.LimitFlags = JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE;
  if (!SetInformationJobObject(job, JobObjectExtendedLimitInformation, &limits, sizeof limits)) return 2;
  if (!AssignProcessToJobObject(job, GetCurrentProcess())) return 2;
  if (!start(rest_of_line(), &child)) return 2;
  WaitForSingleObject(child.hProcess, INFINITE);
  GetExitCodeProcess(child.hProcess, &code);
  return (int)code;
}

int wmain(int count, wchar_t **words) {
  const wchar_t *what = count > 1 ? words[1] : L"";
  unsigned long long number = count > 2 ? wcstoull(words[2], NULL, 10) : 0;
  if (count == 3 && wcscmp(what, L"tree") == 0) return tree(words[2], 1);
  if (count == 3 && wcscmp(what, L"tree-exit") == 0) return tree(words[2], 0);
  if (count == 2 && wcscmp(what, L"leaf") == 0) return wait_long(), 0;
  if (count == 3 && wcscmp(what, L"alive") == 0) return alive((DWORD)number);
  if (count == 3 && wcscmp(what, L"end") == 0) return end((DWORD)number);
  if (count == 4 && wcscmp(what, L"handle") == 0) return is_of((HANDLE)(UINT_PTR)number, words[3]);
  if (count == 2 && wcscmp(what, L"environment") == 0) return environment();
  if (count > 1 && wcscmp(what, L"line") == 0) return printf("%lu\n", (unsigned long)wcslen(GetCommandLineW())) < 0;
  if (count > 2 && wcscmp(what, L"in-job") == 0) return in_job();
  for (int at = 1; at < count; at++) print_utf8(words[at]);
  return 0;
}
