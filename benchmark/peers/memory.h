/* What a driver's process holds. */
#ifndef PEER_MEMORY_H
#define PEER_MEMORY_H

/* A line of /proc/self/status, such as "VmHWM:", in kB; 0 when there is none. By system calls alone: the handler of a signal may use it. */
long peer_memory_of(const char *key);

/* Bring every page of the program and its libraries into memory, and forget earlier peaks: what comes from then on is the engine's. kB held. */
long peer_memory_settle(void);

#endif
