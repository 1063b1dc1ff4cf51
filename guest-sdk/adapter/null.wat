;; WASI preview 1 for a hook, which has no system to call: a compiler that targets WASI (Go, C, Rust's `wasm32-wasip1`)
;; leaves calls behind that this module answers, so that the component imports nothing.
;;
;; It imports nothing but the hook's memory, keeps nothing in it, and asks for no more of it: Go's heap grows at the end of
;; the memory and breaks if anybody else lets it grow.
;;
;;   arguments                none
;;   environment              GOGC=off: Go asks for the time of day whenever it collects garbage. An instance lives for one call,
;;                            so nothing needs to be collected
;;   files, sockets           every descriptor is a bad one (errno 8, badf); there is nothing to open
;;   output                   is taken and dropped
;;   time of day              a trap: a hook takes the time from Input.now, 1970 would be a lie, and few look at an error
;;   monotonic time           starts at 0 and goes on by 1 us at each look, and by what a sleep asks for; no sleep takes time
;;   random numbers           the same ones in each instance: good for the seed of a hash map, and for no secret
;;   exit, raise              a trap
;;
;; Before a trap it writes to the hook's memory after all, at address 64: `hookbox!`, the length (u32) and the text of what is
;; wrong, which the engine passes on. Nothing of the hook runs from there on.
(module
  (import "env" "memory" (memory 0))

  ;; Nanoseconds.
  (global $now (mut i64) (i64.const 0))
  (global $seed (mut i64) (i64.const 0x243F6A8885A308D3))

  ;; the time of day was asked for; a hook has it only from `now` in its Input
  (func $no_time
    (i64.store offset=64 (i32.const 0) (i64.const 0x21786f626b6f6f68))
    (i64.store offset=72 (i32.const 0) (i64.const 0x2065687400000049))
    (i64.store offset=80 (i32.const 0) (i64.const 0x20666f20656d6974))
    (i64.store offset=88 (i32.const 0) (i64.const 0x2073617720796164))
    (i64.store offset=96 (i32.const 0) (i64.const 0x6f662064656b7361))
    (i64.store offset=104 (i32.const 0) (i64.const 0x6f6f682061203b72))
    (i64.store offset=112 (i32.const 0) (i64.const 0x746920736168206b))
    (i64.store offset=120 (i32.const 0) (i64.const 0x726620796c6e6f20))
    (i64.store offset=128 (i32.const 0) (i64.const 0x60776f6e60206d6f))
    (i64.store offset=136 (i32.const 0) (i64.const 0x20737469206e6920))
    (i64.store offset=144 (i32.const 0) (i64.const 0x0000007475706e49))
    (unreachable))
  ;; its runtime gave up and called exit
  (func $exited
    (i64.store offset=64 (i32.const 0) (i64.const 0x21786f626b6f6f68))
    (i64.store offset=72 (i32.const 0) (i64.const 0x2073746900000023))
    (i64.store offset=80 (i32.const 0) (i64.const 0x20656d69746e7572))
    (i64.store offset=88 (i32.const 0) (i64.const 0x2070752065766167))
    (i64.store offset=96 (i32.const 0) (i64.const 0x6c6c616320646e61))
    (i64.store offset=104 (i32.const 0) (i64.const 0x0074697865206465))
    (unreachable))

  (func (export "args_get") (param i32 i32) (result i32) (i32.const 0))
  (func (export "environ_get") (param $variables i32) (param $text i32) (result i32)
    (i32.store (local.get $variables) (local.get $text))
    (i64.store (local.get $text) (i64.const 0x66666f3d43474f47)) ;; GOGC=off
    (i32.store8 offset=8 (local.get $text) (i32.const 0))
    (i32.const 0))
  (func (export "environ_sizes_get") (param $count i32) (param $bytes i32) (result i32)
    (i32.store (local.get $count) (i32.const 1))
    (i32.store (local.get $bytes) (i32.const 9))
    (i32.const 0))
  (func (export "args_sizes_get") (param $count i32) (param $bytes i32) (result i32)
    (i32.store (local.get $count) (i32.const 0))
    (i32.store (local.get $bytes) (i32.const 0))
    (i32.const 0))

  (func (export "clock_res_get") (param $clock i32) (param $out i32) (result i32)
    (if (i32.ne (local.get $clock) (i32.const 1)) (then (call $no_time)))
    (i64.store (local.get $out) (i64.const 1000))
    (i32.const 0))
  (func (export "clock_time_get") (param $clock i32) (param $precision i64) (param $out i32) (result i32)
    (if (i32.ne (local.get $clock) (i32.const 1)) (then (call $no_time)))
    (global.set $now (i64.add (global.get $now) (i64.const 1000)))
    (i64.store (local.get $out) (global.get $now))
    (i32.const 0))
  ;; Each subscription (48 bytes) happens at once, as an event (32 bytes); a sleep moves the clock.
  (func (export "poll_oneoff") (param $in i32) (param $out i32) (param $count i32) (param $happened i32) (result i32)
    (local $left i32)
    (local $time i64)
    (local.set $left (local.get $count))
    (block $end
      (loop $next
        (br_if $end (i32.eqz (local.get $left)))
        (i64.store (local.get $out) (i64.load (local.get $in)))
        (i64.store offset=8 (local.get $out) (i64.const 0))
        (i64.store offset=16 (local.get $out) (i64.const 0))
        (i64.store offset=24 (local.get $out) (i64.const 0))
        (i32.store8 offset=10 (local.get $out) (i32.load8_u offset=8 (local.get $in)))
        (if (i32.eqz (i32.load8_u offset=8 (local.get $in)))
          (then
            (local.set $time (i64.load offset=24 (local.get $in)))
            (if (i32.eqz (i32.and (i32.load16_u offset=40 (local.get $in)) (i32.const 1)))
              (then (local.set $time (i64.add (local.get $time) (global.get $now)))))
            (if (i64.gt_u (local.get $time) (global.get $now))
              (then (global.set $now (local.get $time))))))
        (local.set $in (i32.add (local.get $in) (i32.const 48)))
        (local.set $out (i32.add (local.get $out) (i32.const 32)))
        (local.set $left (i32.sub (local.get $left) (i32.const 1)))
        (br $next)))
    (i32.store (local.get $happened) (local.get $count))
    (i32.const 0))
  (func (export "sched_yield") (result i32) (i32.const 0))

  ;; A linear congruential generator, of which the best eight bits are taken.
  (func (export "random_get") (param $at i32) (param $left i32) (result i32)
    (block $end
      (loop $next
        (br_if $end (i32.eqz (local.get $left)))
        (global.set $seed (i64.add
          (i64.mul (global.get $seed) (i64.const 6364136223846793005)) (i64.const 1442695040888963407)))
        (i64.store8 (local.get $at) (i64.shr_u (global.get $seed) (i64.const 56)))
        (local.set $at (i32.add (local.get $at) (i32.const 1)))
        (local.set $left (i32.sub (local.get $left) (i32.const 1)))
        (br $next)))
    (i32.const 0))

  ;; The sum of the lengths is what was written.
  (func (export "fd_write") (param $fd i32) (param $parts i32) (param $count i32) (param $written i32) (result i32)
    (local $sum i32)
    (if (i32.gt_u (i32.sub (local.get $fd) (i32.const 1)) (i32.const 1)) (then (return (i32.const 8))))
    (block $end
      (loop $next
        (br_if $end (i32.eqz (local.get $count)))
        (local.set $sum (i32.add (local.get $sum) (i32.load offset=4 (local.get $parts))))
        (local.set $parts (i32.add (local.get $parts) (i32.const 8)))
        (local.set $count (i32.sub (local.get $count) (i32.const 1)))
        (br $next)))
    (i32.store (local.get $written) (local.get $sum))
    (i32.const 0))
  ;; Standard input is at its end.
  (func (export "fd_read") (param $fd i32) (param $parts i32) (param $count i32) (param $read i32) (result i32)
    (if (local.get $fd) (then (return (i32.const 8))))
    (i32.store (local.get $read) (i32.const 0))
    (i32.const 0))

  (func (export "proc_exit") (param i32) (call $exited))
  (func (export "proc_raise") (param i32) (result i32) (call $exited) (unreachable))

  (func (export "fd_advise") (param i32 i64 i64 i32) (result i32) (i32.const 8))
  (func (export "fd_allocate") (param i32 i64 i64) (result i32) (i32.const 8))
  (func (export "fd_close") (param i32) (result i32) (i32.const 8))
  (func (export "fd_datasync") (param i32) (result i32) (i32.const 8))
  (func (export "fd_fdstat_get") (param i32 i32) (result i32) (i32.const 8))
  (func (export "fd_fdstat_set_flags") (param i32 i32) (result i32) (i32.const 8))
  (func (export "fd_fdstat_set_rights") (param i32 i64 i64) (result i32) (i32.const 8))
  (func (export "fd_filestat_get") (param i32 i32) (result i32) (i32.const 8))
  (func (export "fd_filestat_set_size") (param i32 i64) (result i32) (i32.const 8))
  (func (export "fd_filestat_set_times") (param i32 i64 i64 i32) (result i32) (i32.const 8))
  (func (export "fd_pread") (param i32 i32 i32 i64 i32) (result i32) (i32.const 8))
  (func (export "fd_prestat_dir_name") (param i32 i32 i32) (result i32) (i32.const 8))
  (func (export "fd_prestat_get") (param i32 i32) (result i32) (i32.const 8))
  (func (export "fd_pwrite") (param i32 i32 i32 i64 i32) (result i32) (i32.const 8))
  (func (export "fd_readdir") (param i32 i32 i32 i64 i32) (result i32) (i32.const 8))
  (func (export "fd_renumber") (param i32 i32) (result i32) (i32.const 8))
  (func (export "fd_seek") (param i32 i64 i32 i32) (result i32) (i32.const 8))
  (func (export "fd_sync") (param i32) (result i32) (i32.const 8))
  (func (export "fd_tell") (param i32 i32) (result i32) (i32.const 8))
  (func (export "path_create_directory") (param i32 i32 i32) (result i32) (i32.const 8))
  (func (export "path_filestat_get") (param i32 i32 i32 i32 i32) (result i32) (i32.const 8))
  (func (export "path_filestat_set_times") (param i32 i32 i32 i32 i64 i64 i32) (result i32) (i32.const 8))
  (func (export "path_link") (param i32 i32 i32 i32 i32 i32 i32) (result i32) (i32.const 8))
  (func (export "path_open") (param i32 i32 i32 i32 i32 i64 i64 i32 i32) (result i32) (i32.const 8))
  (func (export "path_readlink") (param i32 i32 i32 i32 i32 i32) (result i32) (i32.const 8))
  (func (export "path_remove_directory") (param i32 i32 i32) (result i32) (i32.const 8))
  (func (export "path_rename") (param i32 i32 i32 i32 i32 i32) (result i32) (i32.const 8))
  (func (export "path_symlink") (param i32 i32 i32 i32 i32) (result i32) (i32.const 8))
  (func (export "path_unlink_file") (param i32 i32 i32) (result i32) (i32.const 8))
  (func (export "sock_accept") (param i32 i32 i32) (result i32) (i32.const 8))
  (func (export "sock_recv") (param i32 i32 i32 i32 i32 i32) (result i32) (i32.const 8))
  (func (export "sock_send") (param i32 i32 i32 i32 i32) (result i32) (i32.const 8))
  (func (export "sock_shutdown") (param i32 i32) (result i32) (i32.const 8)))
