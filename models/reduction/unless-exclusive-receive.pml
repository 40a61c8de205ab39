/*
 * Exclusive channels under unless: a receive that is not safe.
 *
 * From: D. Bosnacki's thesis, chapter 3, footnote 9, which says that such an
 *       example can be made but does not give one.
 *
 * B fills the channel. Only B sends to it and only A receives from it, so A's
 * receive is a candidate for a safe step. But it makes room, with which B's
 * escape (a second send) becomes possible, and the escape has priority over
 * the assertion. The violation exists only while the channel is full.
 *
 * Parameters: none.
 *
 * Expect: assertion violated (false), with and without reduction. Spin 6.5.2
 *         finds it: it takes a receive for safe only while the channel is
 *         neither empty nor full.
 * Size: 19 states without reduction.
 */

chan c = [1] of { bit };
bool touched;

active proctype A()
{
	xr c;

	c?1;
	c?1
}

active proctype B()
{
	xs c;

	c!1;
	{ touched = true; assert(false) } unless c!1
}
