/*
 * Scalarsets for Spin.
 *
 * scalarset(Name, n) is a type whose values are names: the numbers 0 to n-1,
 * which can change places. Everything else, "undefined" by preference, is none
 * of them. Isospin knows the type and proves that the names can change places;
 * for Spin it is a byte.
 */

#ifndef __ISOSPIN__
#define scalarset(set, n)	byte
#endif

#define undefined	255
