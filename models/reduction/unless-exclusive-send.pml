/*
 * Exclusive channels under unless: a send that is not safe.
 *
 * From: D. Bosnacki's thesis, chapter 3, footnote 9, which says that such an
 *       example can be made but does not give one.
 *
 * Only A sends to c and only B receives from it, so A's send commutes with
 * everything that B does and is a candidate for a safe step. But B's receive
 * is an escape: as soon as the message is there, B can no longer reach its
 * assertion. The violation exists only while the channel is empty.
 *
 * Parameters: none.
 *
 * Expect: assertion violated (false), with and without reduction. Spin 6.5.2
 *         finds it: it takes a send for safe only while the channel is neither
 *         empty nor full.
 * Size: 15 states without reduction.
 */

chan c = [1] of { bit };
bool touched;

active proctype A()
{
	xs c;

	c!1
}

active proctype B()
{
	xr c;

	{ touched = true; assert(false) } unless c?1
}
