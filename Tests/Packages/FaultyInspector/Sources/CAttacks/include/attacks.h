#ifndef CATTACKS_H
#define CATTACKS_H

// What the code of an app can do to the program that runs it in a worker process: it finds the socket, the page and the
// streams of the process, and forges what comes out of them.

// Does what is named; false where nothing is.
int attack(const char *name);

#endif
