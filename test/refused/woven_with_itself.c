/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* An event is woven with itself.
 *
 * error: test/refused/woven_with_itself.c:12:7: `twice' weaves `one' with itself
 * help: WOVEN(pair, one, other) names two events
 */
#include <lichen/woven.h>

EVENT(one)
{
}
WOVEN(twice, one, one)
{
}
