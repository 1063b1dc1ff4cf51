/* A strict reader of JSON. What cannot be read exactly is an error: a policy must see what the tool will see. */
#include "hookbox.h"

#include <string.h>

/* The engine refuses an Input deeper than 64; settings stand one level deeper. */
#define MAX_DEPTH 128
/* Up to here keys are compared one by one, beyond it they are hashed. */
#define FEW_KEYS 16

typedef struct {
    const char *start, *at, *end;
    int depth;
    const char *fault;
} reader;

static bool fail(reader *r, const char *fault) {
    if (!r->fault)
        r->fault = fault;
    return false;
}

static void skip_space(reader *r) {
    while (r->at < r->end && (*r->at == ' ' || *r->at == '\n' || *r->at == '\r' || *r->at == '\t'))
        r->at++;
}

static bool is_digit(const reader *r) {
    return r->at < r->end && *r->at >= '0' && *r->at <= '9';
}

static bool digits(reader *r) {
    if (!is_digit(r))
        return fail(r, "a digit is missing");
    while (is_digit(r))
        r->at++;
    return true;
}

static bool number(reader *r) {
    if (*r->at == '-')
        r->at++;
    if (r->at < r->end && *r->at == '0')
        r->at++;
    else if (!digits(r))
        return false;
    if (r->at < r->end && *r->at == '.') {
        r->at++;
        if (!digits(r))
            return false;
    }
    if (r->at < r->end && (*r->at == 'e' || *r->at == 'E')) {
        r->at++;
        if (r->at < r->end && (*r->at == '+' || *r->at == '-'))
            r->at++;
        if (!digits(r))
            return false;
    }
    return true;
}

/* One character that is not ASCII. */
static bool utf8(reader *r) {
    const unsigned char *p = (const unsigned char *)r->at;
    size_t left = (size_t)(r->end - r->at), size = p[0] >= 0xf0 ? 4 : p[0] >= 0xe0 ? 3 : 2;
    unsigned char low = 0x80, high = 0xbf;
    if (p[0] < 0xc2 || p[0] > 0xf4 || left < size)
        return fail(r, "invalid UTF-8");
    if (p[0] == 0xe0)
        low = 0xa0;
    else if (p[0] == 0xed)
        high = 0x9f;
    else if (p[0] == 0xf0)
        low = 0x90;
    else if (p[0] == 0xf4)
        high = 0x8f;
    if (p[1] < low || p[1] > high)
        return fail(r, "invalid UTF-8");
    for (size_t i = 2; i < size; i++)
        if ((p[i] & 0xc0) != 0x80)
            return fail(r, "invalid UTF-8");
    r->at += size;
    return true;
}

bool hookbox_is_utf8(hookbox_text text) {
    if (!text.data)
        return false;
    reader r = {.start = text.data, .at = text.data, .end = text.data + text.len};
    while (r.at < r.end)
        if ((unsigned char)*r.at < 0x80)
            r.at++;
        else if (!utf8(&r))
            return false;
    return true;
}

static bool hex4(reader *r, uint32_t *unit) {
    *unit = 0;
    if (r->end - r->at < 4)
        return fail(r, "an escape is cut off");
    for (int i = 0; i < 4; i++) {
        char c = *r->at++;
        uint32_t digit;
        if (c >= '0' && c <= '9')
            digit = (uint32_t)(c - '0');
        else if ((c | 0x20) >= 'a' && (c | 0x20) <= 'f')
            digit = (uint32_t)((c | 0x20) - 'a' + 10);
        else
            return fail(r, "`\\u` needs four hexadecimal digits");
        *unit = *unit << 4 | digit;
    }
    return true;
}

/* What stands behind `\u`, as UTF-8 at `*out`. An escape is longer than what it stands for. */
static bool unicode_escape(reader *r, char **out) {
    uint32_t c, low;
    if (!hex4(r, &c))
        return false;
    if (c >= 0xdc00 && c <= 0xdfff)
        return fail(r, "a lone surrogate");
    if (c >= 0xd800 && c <= 0xdbff) {
        if (r->end - r->at < 2 || r->at[0] != '\\' || r->at[1] != 'u')
            return fail(r, "a lone surrogate");
        r->at += 2;
        if (!hex4(r, &low))
            return false;
        if (low < 0xdc00 || low > 0xdfff)
            return fail(r, "a lone surrogate");
        c = 0x10000 + ((c - 0xd800) << 10) + (low - 0xdc00);
    }
    char *o = *out;
    if (c < 0x80) {
        *o++ = (char)c;
    } else {
        if (c < 0x800) {
            *o++ = (char)(0xc0 | c >> 6);
        } else {
            if (c < 0x10000) {
                *o++ = (char)(0xe0 | c >> 12);
            } else {
                *o++ = (char)(0xf0 | c >> 18);
                *o++ = (char)(0x80 | (c >> 12 & 0x3f));
            }
            *o++ = (char)(0x80 | (c >> 6 & 0x3f));
        }
        *o++ = (char)(0x80 | (c & 0x3f));
    }
    *out = o;
    return true;
}

static bool escape(reader *r, char **out) {
    static const char names[] = "\"\\/bfnrt", meanings[] = "\"\\/\b\f\n\r\t";
    if (r->at == r->end)
        return fail(r, "an escape is cut off");
    char name = *r->at++;
    if (name == 'u')
        return unicode_escape(r, out);
    const char *found = name ? strchr(names, name) : NULL;
    if (!found)
        return fail(r, "an unknown escape");
    *(*out)++ = meanings[found - names];
    return true;
}

/* Steps over characters that stand for themselves. */
static bool plain(reader *r) {
    while (r->at < r->end) {
        unsigned char c = (unsigned char)*r->at;
        if (c >= 0x80) {
            if (!utf8(r))
                return false;
        } else if (c == '"' || c == '\\') {
            return true;
        } else if (c < 0x20) {
            return fail(r, "a control character in a string");
        } else {
            r->at++;
        }
    }
    return fail(r, "a string has no end");
}

static bool string(reader *r, hookbox_text *text) {
    const char *begin = ++r->at;
    if (!plain(r))
        return false;
    if (*r->at == '"') {
        *text = (hookbox_text){begin, (size_t)(r->at++ - begin)};
        return true;
    }
    /* With escapes: what it says is no longer than how it is written. */
    const char *close = r->at;
    while (close < r->end && *close != '"')
        close += *close == '\\' && r->end - close > 1 ? 2 : 1;
    char *copy = hookbox_alloc((size_t)(close - begin) + 1), *out = copy;
    const char *from = begin;
    for (;;) {
        memcpy(out, from, (size_t)(r->at - from));
        out += r->at - from;
        if (*r->at++ == '"')
            break;
        if (!escape(r, &out))
            return false;
        from = r->at;
        if (!plain(r))
            return false;
    }
    *text = (hookbox_text){copy, (size_t)(out - copy)};
    return true;
}

static uint32_t hash(hookbox_text key) {
    uint32_t h = 2166136261u;
    for (size_t i = 0; i < key.len; i++)
        h = (h ^ (unsigned char)key.data[i]) * 16777619u;
    return h ^ h >> 15;
}

/* Whether no two members have the same key. */
static bool keys_differ(const hookbox_value *object, size_t count) {
    if (count <= FEW_KEYS) {
        for (const hookbox_value *a = object->first; a; a = a->next)
            for (const hookbox_value *b = a->next; b; b = b->next)
                if (hookbox_equals(a->key, b->key))
                    return false;
        return true;
    }
    size_t size = 32;
    while (size < 2 * count)
        size *= 2;
    const hookbox_value **table = hookbox_alloc(size * sizeof *table);
    for (const hookbox_value *a = object->first; a; a = a->next) {
        size_t place = hash(a->key) & (size - 1);
        for (; table[place]; place = (place + 1) & (size - 1))
            if (hookbox_equals(table[place]->key, a->key))
                return false;
        table[place] = a;
    }
    return true;
}

static bool value(reader *r, hookbox_value *into);

/* An array or an object, from its bracket on. */
static bool list(reader *r, hookbox_value *into, char close) {
    const hookbox_value **tail = &into->first;
    size_t count = 0;
    if (r->depth == MAX_DEPTH)
        return fail(r, "it is nested too deeply");
    r->depth++;
    r->at++;
    skip_space(r);
    if (r->at < r->end && *r->at == close) {
        r->at++;
        r->depth--;
        return true;
    }
    for (;;) {
        hookbox_value *item = hookbox_alloc(sizeof *item);
        skip_space(r);
        if (close == '}') {
            if (r->at == r->end || *r->at != '"')
                return fail(r, "a key is missing");
            if (!string(r, &item->key))
                return false;
            skip_space(r);
            if (r->at == r->end || *r->at != ':')
                return fail(r, "`:` is missing");
            r->at++;
        }
        if (!value(r, item))
            return false;
        *tail = item;
        tail = (const hookbox_value **)&item->next;
        count++;
        skip_space(r);
        if (r->at == r->end || (*r->at != ',' && *r->at != close))
            return fail(r, close == '}' ? "`,` or `}` is missing" : "`,` or `]` is missing");
        if (*r->at++ == close)
            break;
    }
    r->depth--;
    return close == ']' || keys_differ(into, count) || fail(r, "a key stands twice in an object");
}

static bool word(reader *r, const char *word) {
    size_t size = strlen(word);
    if ((size_t)(r->end - r->at) < size || memcmp(r->at, word, size) != 0)
        return fail(r, "a value is missing");
    r->at += size;
    return true;
}

static bool value(reader *r, hookbox_value *into) {
    bool read;
    skip_space(r);
    if (r->at == r->end)
        return fail(r, "a value is missing");
    const char *begin = r->at;
    switch (*begin) {
    case '{':
        into->kind = HOOKBOX_OBJECT;
        read = list(r, into, '}');
        break;
    case '[':
        into->kind = HOOKBOX_ARRAY;
        read = list(r, into, ']');
        break;
    case '"':
        into->kind = HOOKBOX_STRING;
        read = string(r, &into->string);
        break;
    case 't':
        into->boolean = true; /* fall through */
    case 'f':
        into->kind = HOOKBOX_BOOLEAN;
        read = word(r, into->boolean ? "true" : "false");
        break;
    case 'n':
        into->kind = HOOKBOX_NULL;
        read = word(r, "null");
        break;
    default:
        into->kind = HOOKBOX_NUMBER;
        read = *begin == '-' || is_digit(r) ? number(r) : fail(r, "a value is missing");
    }
    into->json = (hookbox_text){begin, (size_t)(r->at - begin)};
    return read;
}

const hookbox_value *hookbox_parse(hookbox_text json, hookbox_text *fault) {
    reader r = {json.data, json.data, json.data + json.len, 0, NULL};
    hookbox_value *into = hookbox_alloc(sizeof *into);
    bool read = value(&r, into);
    skip_space(&r);
    if (read && r.at == r.end)
        return into;
    hookbox_text why = {r.fault, r.fault ? strlen(r.fault) : 0};
    *fault = hookbox_join(read ? HB("something follows the value") : why, HB(" at byte "), hookbox_digits(r.at - r.start));
    return NULL;
}
