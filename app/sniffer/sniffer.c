/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Sniffer: sends every frame in reach, whatever its destination, to the serial port. The host shows
 * the frames, and writes them for Wireshark:
 *
 *     ./lichen sniff /dev/ttyACM0 --channel 15 --pcap frames.pcapng
 *     ./lichen sniff /dev/ttyACM0 --pcap - | wireshark -k -i -
 *
 * doc/spec/sniffer.md describes the stream: records between the END bytes of SLIP (RFC 1055), each
 * with a checksum. A line `channel N` from the host chooses the channel.
 */
#include <lichen/console.h>
#include <lichen/packet.h>
#include <lichen/queue.h>
#include <lichen/radio.h>
#include <lichen/thread.h>
#include <lichen/time.h>

enum {
    VERSION = 1,
    END = 0xc0, /* SLIP's bytes */
    ESC = 0xdb,
    ESC_END = 0xdc,
    ESC_ESC = 0xdd,
    RECORD_FRAME = 1,
    RECORD_STATE = 2,
    WAITING = 12, /* frames, while the serial port is behind */
    STATE_PERIOD_US = 1000000,
    LINE_BYTES = 16,
    OQPSK_BYTE_US = 32, /* time of a byte of IEEE 802.15.4 at 2.4 GHz */
    FSK_CHANNEL = 2,    /* the link's usual channel on the MICA2 */
    CHUNK_BYTES = 32,
};

/* ---------------------------------------------------------------- listening */
QUEUE(heard, packet_t, WAITING);
static uint16_t lost_here; /* the queue was full */
static uint8_t channel;

EVENT(radio_received)
{
    packet_t packet;

    while (radio_receive(&packet) == 0) {
        if (queue_try_send(&heard, &packet) != 0) {
            packet_free(packet);
            lost_here++;
        }
    }
}

/* Without a flag the radio takes frames for everybody, and acknowledges none. */
static bool listen_on(uint8_t wanted)
{
    const struct radio_settings settings = {
        .channel = wanted, .dbm = radio_facts.dbm_least, .short_address = UINT16_MAX};

    if (radio_set(&settings) != 0) {
        return false;
    }
    channel = wanted;
    return true;
}

/* ---------------------------------------------------------------- records */
static struct {
    uint8_t bytes[CHUNK_BYTES];
    uint8_t used;
    uint16_t checksum;
} out;

static void put_raw(uint8_t byte)
{
    out.bytes[out.used++] = byte;
    if (out.used == CHUNK_BYTES) {
        console_write(out.bytes, out.used);
        out.used = 0;
    }
}

static void put_escaped(uint8_t byte)
{
    if (byte == END || byte == ESC) {
        put_raw(ESC);
        byte = byte == END ? ESC_END : ESC_ESC;
    }
    put_raw(byte);
}

/* The checksum is that of IEEE Std 802.15.4-2015, 7.2.10: CRC-16 of the polynomial 0x1021, least
 * significant bit first, initially 0. */
static void put(uint8_t byte)
{
    uint8_t x = (uint8_t)(out.checksum ^ byte);

    x ^= (uint8_t)(x << 4);
    out.checksum =
        (uint16_t)(out.checksum >> 8 ^ (uint16_t)(x << 8) ^ (uint16_t)(x << 3) ^ (x >> 4));
    put_escaped(byte);
}

/* Numbers have their least significant byte first. */
static void put_number(uint64_t number, uint8_t bytes)
{
    for (; bytes > 0; bytes--) {
        put((uint8_t)number);
        number >>= 8;
    }
}

static void begin(uint8_t kind)
{
    put_raw(END);
    out.checksum = 0;
    put(kind);
}

static void end(void)
{
    uint16_t checksum = out.checksum;

    put_escaped((uint8_t)checksum);
    put_escaped((uint8_t)(checksum >> 8));
    put_raw(END);
    console_write(out.bytes, out.used);
    out.used = 0;
}

static void put_state(void)
{
    struct radio_counters counters;

    radio_count(&counters);
    begin(RECORD_STATE);
    put(VERSION);
    put(channel);
    put(radio_facts.channel_first);
    put(radio_facts.channel_last);
    put_number(radio_facts.byte_us, 2);
    put_number(counters.corrupted, 2);
    put_number((uint32_t)counters.overflowed + counters.not_taken, 4);
    put_number((uint32_t)counters.no_packet + lost_here, 4);
    put_number(counters.restarts, 2);
    end();
}

static void put_frame(packet_t packet)
{
    const struct packet_attributes *attributes = packet_attributes(packet);
    struct packet_cursor cursor;

    begin(RECORD_FRAME);
    put_number(packet_time_us(packet), 8);
    put(attributes->channel);
    put((uint8_t)attributes->dbm);
    put(attributes->lqi);
    packet_cursor(&cursor, packet, 0);
    for (uint16_t left = packet_cursor_left(&cursor); left > 0; left--) {
        put(packet_cursor_u8(&cursor));
    }
    end();
}

THREAD(sniffer, ARCH_FLASH_IS_APART ? 256 : 384, PRIORITY_APP)
{
    uint64_t due = 0;

    (void)listen_on(radio_facts.byte_us == OQPSK_BYTE_US ? radio_facts.channel_last : FSK_CHANNEL);
    radio_listen(true);
    for (;;) {
        packet_t packet = PACKET_NONE;
        if (queue_receive_until(&heard, &packet, due) != 0 || packet == PACKET_NONE ||
            time_now_us() >= due) {
            put_state();
            due = time_now_us() + STATE_PERIOD_US;
        }
        if (packet != PACKET_NONE) {
            put_frame(packet);
            packet_free(packet);
        }
    }
}

/* ---------------------------------------------------------------- what the host asks for */

/* The number behind `channel `, or one that no radio has. */
static uint8_t channel_in(const char *line)
{
    static const char word[] = "channel ";
    unsigned number = 0;

    for (unsigned i = 0; i < sizeof(word) - 1; i++) {
        if (line[i] != word[i]) {
            return UINT8_MAX;
        }
    }
    for (line += sizeof(word) - 1; *line >= '0' && *line <= '9' && number < UINT8_MAX; line++) {
        number = number * 10 + (unsigned)(*line - '0');
    }
    return number < UINT8_MAX && *line == '\0' ? (uint8_t)number : UINT8_MAX;
}

/* The state that follows says which channel it is: the one before, if the radio lacks the other.
 * No packet makes the sniffer send it at once. */
THREAD(commands, ARCH_FLASH_IS_APART ? 224 : 320, PRIORITY_APP)
{
    static const packet_t state = PACKET_NONE;
    char line[LINE_BYTES];

    for (;;) {
        (void)console_read_line(line, sizeof(line));
        (void)listen_on(channel_in(line));
        queue_send(&heard, &state);
    }
}
