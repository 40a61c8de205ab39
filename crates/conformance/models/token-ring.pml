/* Stations in a ring that pass tokens on, T of them, to whoever comes next; whoever has
 * one may keep it for a while. No station ever has two. */

#ifndef N
#define N 5
#endif
#ifndef T
#define T 2
#endif

byte has[N];		/* 0 no token, 1 a token, 2 in use */

active [N] proctype Station()
{
	if
	:: _pid < T -> has[_pid] = 1
	:: else
	fi;
	do
	:: has[_pid] == 1 -> has[_pid] = 2
	:: has[_pid] == 2 -> has[_pid] = 1
	:: atomic { has[_pid] == 1 && has[(_pid + 1) % N] == 0 ->
		has[_pid] = 0; has[(_pid + 1) % N] = 1 };
	   assert(has[_pid] < 3)
	od
}
