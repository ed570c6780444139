import { describe, expect, it } from 'vitest';
import { readMemoryLimit } from './memory-limit.ts';

const HOST = 8 * 2 ** 30;
const limit = (files: Readonly<Record<string, string>>) => readMemoryLimit({ read: (path) => files[path], hostBytes: HOST });

describe('readMemoryLimit', () => {
  it('is the host where there are no control groups', () => {
    expect(limit({})).toEqual({ limitBytes: HOST, source: 'host' });
  });

  it('reads version 2: "max" is the host, a number is the limit', () => {
    expect(limit({ '/proc/self/cgroup': '0::/\n', '/sys/fs/cgroup/memory.max': 'max\n' })).toEqual({ limitBytes: HOST, source: 'host' });
    expect(limit({ '/proc/self/cgroup': '0::/\n', '/sys/fs/cgroup/memory.max': '314572800\n' })).toEqual({ limitBytes: 300 * 2 ** 20, source: 'cgroup-v2' });
  });

  it('takes the lowest limit on the way up', () => {
    const files = {
      '/proc/self/cgroup': '0::/user.slice/run.scope\n',
      '/sys/fs/cgroup/user.slice/run.scope/memory.max': 'max',
      '/sys/fs/cgroup/user.slice/memory.max': '1000000',
      '/sys/fs/cgroup/memory.max': '2000000',
    };
    expect(limit(files)).toEqual({ limitBytes: 1_000_000, source: 'cgroup-v2' });
  });

  it('reads version 1: a huge number is the host, a group that cannot be seen falls back to the mount', () => {
    const groups = '5:cpu,cpuacct:/x\n4:memory:/docker/abc\n0::/\n';
    expect(limit({ '/proc/self/cgroup': groups, '/sys/fs/cgroup/memory/memory.limit_in_bytes': '9223372036854771712' }).source).toBe('host');
    expect(limit({ '/proc/self/cgroup': groups, '/sys/fs/cgroup/memory/memory.limit_in_bytes': '314572800' })).toEqual({
      limitBytes: 300 * 2 ** 20,
      source: 'cgroup-v1',
    });
    expect(limit({ '/proc/self/cgroup': groups, '/sys/fs/cgroup/memory/docker/abc/memory.limit_in_bytes': '1000' }).limitBytes).toBe(1000);
  });

  it('says something sensible here and now', () => {
    expect(readMemoryLimit().limitBytes).toBeGreaterThan(2 ** 26);
  });
});
