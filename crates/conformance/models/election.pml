/* Leader election in a ring after Chang and Roberts: each node sends its number on, drops what is
 * smaller than its own, and is the leader when its own comes back. Nodes stand so that numbers
 * fall along the ring: then few messages are on the way. */

#ifndef N
#define N 4
#endif

chan to[N] = [1] of { byte };
byte leaders;

active [N] proctype Node()
{
	byte other;
	to[(_pid + 1) % N]!(N - _pid);
end:	do
	:: to[_pid]?other ->
		if
		:: other > N - _pid -> to[(_pid + 1) % N]!other
		:: other == N - _pid -> leaders++; assert(leaders == 1)
		:: else
		fi;
		other = 0
	od
}
