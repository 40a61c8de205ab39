/*
 * The parity computer, whose joins take their children in turn.
 *
 * From: R. Alur, B.-Y. Wang, "Next" heuristic for on-the-fly model checking,
 *       CONCUR 1999; used in T. Basten, D. Bosnacki, M. Geilen, Cluster-based
 *       partial-order reduction (chapter 2 of Bosnacki's thesis), figure 3 and
 *       table 2.
 *
 * As parity.pml, but a join looks at its children one after the other, hands
 * their parity to its parent, and acknowledges its children only when it has
 * been acknowledged itself. So it deals with its parent and with its children
 * in turn, and a subtree whose join deals with its children is independent of
 * the rest: clusters alone save most states, with no look at guards.
 *
 * Parameters: N, the number of clients, 4 to 8 (4).
 *
 * Expect: no errors.
 *   even     violated: the total may be odd.
 *   goes_on  holds: the root hears again and again.
 * The table's states, with ample sets of processes / with clusters (its model
 *   differs from this one in details): N=4 1749/1294, N=5 7933/3938,
 *   N=6 69615/21620, N=7 320095/25228, N=8 2782640/30377.
 * Size: 1105 states without reduction.
 */

#ifndef N
#define N 4
#endif

#define FREE 2                          /* the place is empty: acknowledged */

/* a client with the place that it shares with its parent */
#define CLIENT(name, up)                                           \
	byte up = FREE;                                            \
	active proctype name()                                     \
	{                                                          \
		do                                                 \
		:: atomic { up == FREE -> up = 0 }                 \
		:: atomic { up == FREE -> up = 1 }                 \
		od                                                 \
	}

/* a join with the place towards its parent, and those of its children */
#define JOIN(name, up, left, right)                                \
	byte up = FREE;                                            \
	active proctype name()                                     \
	{                                                          \
		bit sum;                                           \
		do                                                 \
		:: atomic { left != FREE -> sum = left };          \
		   atomic {                                        \
			right != FREE ->                           \
			up = sum ^ right;                          \
			sum = 0                                    \
		   };                                              \
		   atomic { up == FREE -> left = FREE };           \
		   right = FREE                                    \
		od                                                 \
	}

/* where a leaf splits in two when there are more than four clients */
#if N >= 5
CLIENT(Client000, req000)
CLIENT(Client001, req001)
JOIN(Join00, req00, req000, req001)
#else
CLIENT(Client00, req00)
#endif

#if N >= 7
CLIENT(Client010, req010)
CLIENT(Client011, req011)
JOIN(Join01, req01, req010, req011)
#else
CLIENT(Client01, req01)
#endif

#if N >= 6
CLIENT(Client100, req100)
CLIENT(Client101, req101)
JOIN(Join10, req10, req100, req101)
#else
CLIENT(Client10, req10)
#endif

#if N >= 8
CLIENT(Client110, req110)
CLIENT(Client111, req111)
JOIN(Join11, req11, req110, req111)
#else
CLIENT(Client11, req11)
#endif

JOIN(Join0, req0, req00, req01)
JOIN(Join1, req1, req10, req11)
JOIN(Join, req, req0, req1)

active proctype Root()
{
	do
	:: atomic { req != FREE -> req = FREE }
	od
}

ltl even    { [] (req != 1) }
ltl goes_on { [] <> (req != FREE) }
