/*
 * Clusters for Spin.
 *
 * cluster(Name, member, ...) names processes that have to do with each other:
 * all processes of a type (P), the one with a certain number (P[3]), or those
 * of a cluster declared before. Isospin looks there first for processes that
 * nobody else disturbs; for Spin it is nothing.
 */

#ifndef __ISOSPIN__
#define cluster(...)
#endif
