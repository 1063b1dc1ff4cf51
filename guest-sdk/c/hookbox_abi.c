/* How the engine calls the hook, and where its memory comes from. */
#include "hookbox.h"

#include <stdlib.h>
#include <string.h>

void *hookbox_alloc(size_t bytes) {
    void *memory = calloc(bytes ? bytes : 1, 1);
    if (!memory)
        abort();
    return memory;
}

#ifdef __wasm__

#define PAGE 65536u
#define ALIGN 16u

/* Where the linker's data ends and the memory's slack begins. */
extern unsigned char __heap_base;

static size_t next, end;

/* Memory is handed out once and never taken back: the instance lives for one call. So it is always zero. */
static void *take(size_t bytes, size_t align) {
    if (!next) {
        next = (size_t)&__heap_base;
        end = __builtin_wasm_memory_size(0) * PAGE;
    }
    size_t start = (next + align - 1) & ~(align - 1);
    if (start < next || bytes > SIZE_MAX - start)
        return NULL;
    if (start + bytes > end) {
        size_t pages = (start + bytes - end - 1) / PAGE + 1;
        if (__builtin_wasm_memory_grow(0, pages) == SIZE_MAX)
            return NULL;
        end += pages * PAGE;
    }
    next = start + bytes;
    return (void *)start;
}

/* These take the place of the C library's, which would share the memory with ours otherwise. The size of a block
 * stands before it. */
void *malloc(size_t bytes) {
    if (bytes > SIZE_MAX - ALIGN)
        return NULL;
    size_t *block = take(bytes + ALIGN, ALIGN);
    if (!block)
        return NULL;
    *block = bytes;
    return (char *)block + ALIGN;
}

void *calloc(size_t count, size_t bytes) {
    size_t all;
    return __builtin_mul_overflow(count, bytes, &all) ? NULL : malloc(all);
}

void free(void *block) {
    (void)block;
}

void *realloc(void *old, size_t bytes) {
    void *block = malloc(bytes);
    if (block && old) {
        size_t size = *(size_t *)((char *)old - ALIGN);
        memcpy(block, old, size < bytes ? size : bytes);
    }
    return block;
}

void *aligned_alloc(size_t align, size_t bytes) {
    /* Blocks that realloc would not find the size of are not handed out. */
    return align <= ALIGN ? malloc(bytes) : NULL;
}

int posix_memalign(void **into, size_t align, size_t bytes) {
    *into = aligned_alloc(align, bytes);
    return *into ? 0 : 12; /* ENOMEM */
}

/* The engine asks for a place for what it hands over. */
__attribute__((export_name("cabi_realloc"))) void *cabi_realloc(void *old, size_t old_size, size_t align,
                                                                size_t new_size) {
    char *block = take(new_size, align);
    if (!block)
        abort();
    if (old)
        memcpy(block, old, old_size < new_size ? old_size : new_size);
    return block;
}

/* What a trap cannot say itself stands at address 64, as `hookbox!`, a length and a text, where the engine looks for it. */
static char *const last_words = (char *)64;
enum { LONGEST = 1024 };

/* What `assert` calls, if `__assert_fail` is defined as this: the C library's prints, and nobody would read it. */
_Noreturn void hookbox_assert_fail(const char *expression, const char *file, int line, const char *function) {
    char digits[12], *number = digits + sizeof digits;
    *--number = '\0';
    do
        *--number = (char)('0' + line % 10);
    while (line /= 10);
    const char *parts[] = {"assertion failed: ", expression, " in ", function, " at ", file, ":", number};
    char *at = last_words + 12;
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        for (const char *from = parts[i]; from && *from && at < last_words + 12 + LONGEST; from++)
            *at++ = *from;
    uint32_t length = (uint32_t)(at - last_words - 12);
    memcpy(last_words, "hookbox!", 8);
    memcpy(last_words + 8, &length, sizeof length);
    __builtin_trap();
}

/* result<string, string> as the engine reads it. */
static struct {
    uint8_t is_err;
    const char *data;
    size_t len;
} returned;

__attribute__((export_name("hookbox:hook/hook@0.1.0#run"))) const void *exported_run(const char *data, size_t len) {
    hookbox_text answer;
    /* Text of no bytes may come without a place. */
    returned.is_err = !hookbox_run(len ? (hookbox_text){data, len} : HB(""), &answer);
    returned.data = answer.data;
    returned.len = answer.len;
    return &returned;
}

#endif
