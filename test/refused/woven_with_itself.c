/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* An event is woven with itself.
 *
 * refused: redefinition of 'twice_of_one'
 * error: test/refused/woven_with_itself.c:13:7: `twice' weaves `one' with itself
 * help: WOVEN(pair, one, other) names two events
 */
#include <lichen/woven.h>

EVENT(one)
{
}
WOVEN(twice, one, one)
{
}
