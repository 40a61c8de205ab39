/*
 * Leader election in a ring where messages travel in one direction.
 *
 * From: D. Dolev, M. Klawe, M. Rodeh, An O(n log n) unidirectional
 *       distributed algorithm for extrema finding in a circle, Journal of
 *       Algorithms 3(3), 1982; G. L. Peterson found the same independently.
 *
 * An active node learns the values of the two active nodes before it. If the
 * nearer one is larger than both the further one and the node's own value, the
 * node goes on with that value; otherwise it becomes passive and only relays.
 * A node that sees its own value come round has found the maximum, and tells
 * the others.
 *
 * Parameters: N, the number of nodes (4); START, which node holds the smallest
 *             value (0). The values grow by one from node to node.
 *
 * Expect: no errors.
 *   one_leader  holds: never two leaders.
 *   elected     holds, even without fairness: the algorithm always ends.
 * Size: 4855 states without reduction.
 */

#ifndef N
#define N 4
#endif
#ifndef START
#define START 0
#endif

mtype = { one, two, winner };

chan q[N] = [N] of { mtype, byte };
byte leaders;

proctype Node(chan in, out; byte value)
{
	bool active_node = true, know;
	byte max = value, near, nr;

	xr in;
	xs out;

	out!one(value);
end:	do
	:: in?one(nr) ->
	   if
	   :: active_node ->
	      if
	      :: nr != max -> out!two(nr); near = nr
	      :: else ->                        /* mine came round: the maximum */
	         know = true;
	         out!winner(nr)
	      fi
	   :: else -> out!one(nr)
	   fi
	:: in?two(nr) ->
	   if
	   :: active_node ->
	      if
	      :: near > nr && near > max -> max = near; out!one(near)
	      :: else -> active_node = false
	      fi
	   :: else -> out!two(nr)
	   fi
	:: in?winner(nr) ->
	   if
	   :: nr == value -> leaders++; assert(leaders == 1 && nr == N - 1)
	   :: else
	   fi;
	   if
	   :: know                              /* the announcement came round */
	   :: else -> out!winner(nr)
	   fi;
	   break
	od
}

init
{
	byte i;

	atomic {
		for (i : 0 .. N - 1) {
			run Node(q[i], q[(i + 1) % N], (i + N - START) % N)
		}
		i = 0
	}
}

ltl one_leader { [] (leaders <= 1) }
ltl elected    { <> (leaders == 1) }
