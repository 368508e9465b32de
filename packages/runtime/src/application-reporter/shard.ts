import { fnv1a } from '@fairlead/base';

/**
 * The shard of an application, by rendezvous: each shard draws a number for the name and the highest wins. Adding one
 * shard to n moves one application in n + 1, and only to the new one. Pure, and the same in every process.
 */
export function shardOf(name: string, count: number): number {
  let best = 0;
  let highest = -1;
  for (let shard = 0; shard < count; shard++) {
    const drawn = mix(fnv1a(`${shard}/${name}`));
    if (drawn > highest) [best, highest] = [shard, drawn];
  }
  return best;
}

/** MurmurHash3's finaliser: FNV-1a alone leaves its high bits, which the comparison looks at first, too regular. */
function mix(hash: number): number {
  let mixed = hash;
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}
