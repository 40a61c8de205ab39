/* A name that is misspelt. */
byte counter;

active proctype P()
{
	countr = 3;
	assert(counter == 3)
}
