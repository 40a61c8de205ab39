/*
 * The parity computer: a tree of processes that adds up bits modulo two.
 *
 * From: R. Alur, B.-Y. Wang, "Next" heuristic for on-the-fly model checking,
 *       CONCUR 1999; used in T. Basten, D. Bosnacki, M. Geilen, Cluster-based
 *       partial-order reduction (chapter 2 of Bosnacki's thesis), figure 3 and
 *       table 2.
 *
 * Clients are the leaves. A client puts a bit of its choice into the variable
 * that it shares with its parent, waits for the acknowledgement and starts
 * again. A join waits for the bits of both children, hands their parity to its
 * own parent and at once acknowledges its children. The root takes the parity
 * of all. A variable that holds a bit is a request; emptying it acknowledges.
 * Without reduction there are 3^(2N-1) states.
 *
 * Every step touches a shared variable, so ample sets of single processes save
 * nothing. A join deals with its parent and its children in turn, so a subtree
 * is independent of the rest for a while: a case for a hierarchy of clusters.
 *
 * Parameters: N, the number of clients, 4 to 8 (4).
 *
 * Expect: no errors.
 *   even     violated: the total may be odd.
 *   goes_on  holds: the root hears again and again.
 * The table's states, with ample sets of processes / with clusters (its model
 *   differs from this one in details): N=4 1749/1294, N=5 7933/3938,
 *   N=6 69615/21620, N=7 320095/25228, N=8 2782640/30377.
 * Size: 2187 states without reduction.
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
		do                                                 \
		:: d_step {                                        \
			up == FREE && left != FREE && right != FREE -> \
			up = left ^ right;                         \
			left = FREE;                               \
			right = FREE                               \
		   }                                               \
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
