/*
 * N pairs of processes; the two of a pair share one variable.
 *
 * From: T. Basten, D. Bosnacki, M. Geilen, Cluster-based partial-order
 *       reduction (chapter 2 of Bosnacki's thesis), figure 2 and table 1.
 *
 * Each process assigns once to the variable that it shares. No assignment is
 * independent of all others, so ample sets of single processes save next to
 * nothing (only the ends of processes are safe). A pair as a whole is
 * independent of every other pair: with clusters one order of the pairs is
 * enough, so that the graph about doubles with each pair, where without
 * clusters it grows fivefold.
 *
 * Parameters: N, the number of pairs, 1 to 12 (4).
 *
 * Expect: no errors.
 * The variables are never read, which Spin notices: its own figures with
 *   reduction are those of the table only with "spin -o2 -a".
 * The table's states, without reduction / with ample sets of processes / with
 *   clusters: N=2 65/60/30, N=3 329/304/66, N=4 1657/1532/138, N=5 8313/7688/282.
 * Size: 1657 states without reduction.
 */

#ifndef N
#define N 4
#endif

#define UNSET 2

#define PAIR(v, P, Q)                          \
	byte v = UNSET;                        \
	proctype P() { v = 0 }          \
	proctype Q() { v = 1 }

PAIR(u1, P1, Q1)
#if N >= 2
PAIR(u2, P2, Q2)
#endif
#if N >= 3
PAIR(u3, P3, Q3)
#endif
#if N >= 4
PAIR(u4, P4, Q4)
#endif
#if N >= 5
PAIR(u5, P5, Q5)
#endif
#if N >= 6
PAIR(u6, P6, Q6)
#endif
#if N >= 7
PAIR(u7, P7, Q7)
#endif
#if N >= 8
PAIR(u8, P8, Q8)
#endif
#if N >= 9
PAIR(u9, P9, Q9)
#endif
#if N >= 10
PAIR(u10, P10, Q10)
#endif
#if N >= 11
PAIR(u11, P11, Q11)
#endif
#if N >= 12
PAIR(u12, P12, Q12)
#endif

init
{
	atomic {
		run P1(); run Q1();
#if N >= 2
		run P2(); run Q2();
#endif
#if N >= 3
		run P3(); run Q3();
#endif
#if N >= 4
		run P4(); run Q4();
#endif
#if N >= 5
		run P5(); run Q5();
#endif
#if N >= 6
		run P6(); run Q6();
#endif
#if N >= 7
		run P7(); run Q7();
#endif
#if N >= 8
		run P8(); run Q8();
#endif
#if N >= 9
		run P9(); run Q9();
#endif
#if N >= 10
		run P10(); run Q10();
#endif
#if N >= 11
		run P11(); run Q11();
#endif
#if N >= 12
		run P12(); run Q12();
#endif
	}
}
