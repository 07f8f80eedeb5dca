/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* An event is woven with itself.
 *
 * refused: redefinition of 'twice_of_one'
 */
#include <lichen/woven.h>

EVENT(one)
{
}
WOVEN(twice, one, one)
{
}
