import { minify as minifyByTerser } from 'terser';
import { minify, type Plugin } from 'vite';

/** Makes chunks as small as they get: what the bundler's own minifier leaves, terser goes over again. */
export const shrink: Plugin = {
  name: 'shrink',
  async renderChunk(code, { fileName }) {
    const { code: once } = await minify(fileName, code, { module: true });
    const { code: twice } = await minifyByTerser(once, {
      module: true,
      ecma: 2020,
      compress: { passes: 3, pure_getters: true, unsafe_arrows: true, keep_fargs: false },
    });
    return twice ?? once;
  },
};
