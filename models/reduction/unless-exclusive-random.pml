/*
 * Exclusive channels under unless: a send into a channel that is neither empty
 * nor full, and still not safe.
 *
 * From: made for this collection, after footnote 9 in chapter 3 of
 *       D. Bosnacki's thesis.
 *
 * The channel holds a 0 when A sends its 1. B's escape takes a 1 from anywhere
 * in the channel, so the send enables the escape although the channel was not
 * empty, and with it B's assertion is out of reach.
 *
 * Parameters: none.
 *
 * Expect: assertion violated (false), with and without reduction. Spin 6.5.2
 *         finds it without reduction; with reduction it stops with a complaint
 *         about a random receive on an exclusive channel.
 * Size: 14 states without reduction.
 */

chan c = [3] of { bit };
bool go;

active proctype A()
{
	xs c;

	c!0;
	go = true;
	c!1
}

active proctype B()
{
	xr c;

	{ go; assert(false) } unless c??1
}
