/*
 * The simplified resource controller: a server grants one resource to clients.
 *
 * From: V. Gyuris, A. P. Sistla, On-the-fly model checking under fairness that
 *       exploits symmetry, CAV 1997, section 2.5.
 *
 * A client is idle, requesting or critical. It moves between idle and
 * requesting as it likes; the server makes a requesting client critical when
 * no client is. A critical client returns to idle (the source's text leaves
 * this out). The server picks any client in one step; one who does not request
 * is left as it is.
 *
 * Symmetric in the clients.
 *
 * Parameters: N, the number of clients (3).
 *
 * Expect: no errors.
 *   exclusive  holds.
 *   served     (a request of client 0 is granted in the end) violated with and
 *              without weak fairness: the client may take its request back, and
 *              the server may prefer others, or those who want nothing.
 *   never_0    (client 0 is never critical) violated: the source's example.
 * States: 2^N + N * 2^(N-1) without reduction, 20 for N = 3 as in the source;
 *   2N + 1 orbits, 7 for N = 3.
 * Size: 20 states without reduction.
 */

#ifndef N
#define N 3
#endif

mtype = { idle, requesting, critical };

mtype state[N] = idle;
byte waiting;                           /* how many are requesting */
bool busy;                              /* somebody is critical */

active [N] proctype Client()
{
	do
	:: atomic { state[_pid] == idle -> state[_pid] = requesting; waiting++ }
	:: atomic { state[_pid] == requesting -> state[_pid] = idle; waiting-- }
	:: atomic { state[_pid] == critical -> state[_pid] = idle; busy = false }
	od
}

active proctype Server()
{
	byte c;

	do
	:: atomic {
		!busy && waiting > 0;
		select(c : 0 .. N - 1);         /* anybody */
		if
		:: state[c] == requesting ->
		   state[c] = critical;
		   waiting--;
		   busy = true
		:: else                         /* who wants nothing gets nothing */
		fi;
		c = 0
	   }
	od
}

#define CRIT(i) (state[i] == critical)

ltl exclusive { [] !(CRIT(0) && CRIT(1)) }
ltl served    { [] (state[0] == requesting -> <> CRIT(0)) }
ltl never_0   { [] !CRIT(0) }
