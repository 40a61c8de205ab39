/*
 * The resource controller: a server grants one resource to clients.
 *
 * From: V. Gyuris, A. P. Sistla, On-the-fly model checking under fairness that
 *       exploits symmetry, CAV 1997, section 5, tables 1 and 2.
 *
 * A client is idle, requesting, granted or critical, and idle again. The server
 * grants the resource when it is free, and frees itself in a step of its own
 * after the client has left. The source counts the server: its n is N + 1.
 *
 * Symmetric in the clients.
 *
 * Parameters: N, the number of clients (9).
 *
 * Expect: no errors.
 *   used    (somebody has had the resource again and again) holds: the clients
 *           can do nothing else.
 *   served  (a request of client 0 is granted in the end) violated without and
 *           under weak fairness, since the server may always prefer others;
 *           holds under strong fairness.
 * States: 4N + 2 orbits: 38 for N = 9.
 * Size: 5632 states without reduction.
 */

#ifndef N
#define N 9
#endif

chan grant = [0] of { bit };
bool critical[N];
bool left;                              /* the client has left, the server not yet */

active [N] proctype Client()
{
end:	do
	:: true;                            /* asks */
asks:	   grant?_;
	   critical[_pid] = true;
	   atomic { critical[_pid] = false; left = true }
	od
}

active proctype Server()
{
end:	do
	:: grant!0;
	   atomic { left -> left = false }
	od
}

ltl used   { []<> (left) }
ltl served { [] (Client[0]@asks -> <> critical[0]) }
