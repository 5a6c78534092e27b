/* A small file system in the manner of Daisy. N users create, write, read and delete files at the same time. A file
   is an inode with at most one block of the disk; an inode and the bitmap of blocks each have a lock. Assertions:
   what is read is what was written, a block belongs to one file, and a lock is released by its holder.
   Recovery after a crash is part of the program and is switched off (CRASHES). */
#ifndef N
#define N 5
#endif
#define INODES 2
#define BLOCKS 2
#define NONE 3
#define CRASHES false

typedef Inode {
  bool used;
  byte block;
  byte value
}
Inode inode[INODES];
bool block_used[BLOCKS];
byte disk[BLOCKS];
byte inode_holder[INODES];
byte bitmap_holder;
byte free_blocks = BLOCKS;
byte repairs;

inline lock_inode(f) {
  atomic {
    inode_holder[f] == 0;
    inode_holder[f] = _pid + 1
  }
}

inline unlock_inode(f) {
  atomic {
    assert(inode_holder[f] == _pid + 1);
    inode_holder[f] = 0
  }
}

inline lock_bitmap() {
  atomic {
    bitmap_holder == 0;
    bitmap_holder = _pid + 1
  }
}

inline unlock_bitmap() {
  atomic {
    assert(bitmap_holder == _pid + 1);
    bitmap_holder = 0
  }
}

inline allocate_block(b) {
  lock_bitmap();
  b = 0;
  do
  :: b < BLOCKS && block_used[b] -> b++
  :: else -> break
  od;
  if
  :: b < BLOCKS ->
    block_used[b] = true;
    free_blocks--
  :: else ->
    assert(free_blocks == 0);
    b = NONE
  fi;
  unlock_bitmap()
}

inline free_block(b) {
  lock_bitmap();
  assert(block_used[b]);
  block_used[b] = false;
  disk[b] = 0;
  free_blocks++;
  unlock_bitmap()
}

inline create(f) {
  lock_inode(f);
  if
  :: !inode[f].used ->
    inode[f].block = NONE;
    inode[f].used = true
  :: else -> skip
  fi;
  unlock_inode(f)
}

inline write(f, v) {
  lock_inode(f);
  if
  :: inode[f].used && inode[f].block == NONE ->
    allocate_block(b);
    if
    :: b != NONE ->
      assert(disk[b] == 0);
      inode[f].block = b
    :: else -> skip
    fi
  :: else -> skip
  fi;
  if
  :: inode[f].used && inode[f].block != NONE ->
    disk[inode[f].block] = v;
    inode[f].value = v
  :: else -> skip
  fi;
  unlock_inode(f)
}

inline read(f) {
  lock_inode(f);
  if
  :: inode[f].used && inode[f].block != NONE ->
    assert(disk[inode[f].block] == inode[f].value)
  :: else -> skip
  fi;
  unlock_inode(f)
}

inline remove(f) {
  lock_inode(f);
  if
  :: inode[f].used ->
    b = inode[f].block;
    inode[f].block = NONE;
    inode[f].value = 0;
    if
    :: b != NONE -> free_block(b)
    :: else -> skip
    fi;
    inode[f].used = false
  :: else -> skip
  fi;
  unlock_inode(f)
}

inline recover() {
  lock_bitmap();
  b = 0;
  do
  :: b < BLOCKS ->
    if
    :: block_used[b] && disk[b] == 0 ->
      block_used[b] = false;
      free_blocks++;
      repairs++
    :: else -> skip
    fi;
    b++
  :: else -> break
  od;
  b = 0;
  unlock_bitmap()
}

active [N] proctype User() {
  byte file;
  byte b;
  do
  :: true ->
    if
    :: file = 0
    :: file = 1
    fi;
    if
    :: create(file)
    :: write(file, 1)
    :: write(file, 2)
    :: read(file)
    :: remove(file)
    :: CRASHES -> recover()
    fi;
    file = 0;
    b = 0
  od
}

active proctype Checker() {
  do
  :: atomic {
      bitmap_holder == 0;
      assert(free_blocks == BLOCKS - block_used[0] - block_used[1]);
      assert(inode[0].block == NONE || !inode[0].used || inode[0].block != inode[1].block || !inode[1].used)
    }
  od
}
