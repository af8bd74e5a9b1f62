// One HTML file with everything in it, so that the tool can serve it, and write it to disk, without any other request.
import { readFileSync } from 'node:fs';
import { defineConfig, type Plugin } from 'vite';

/** The page holds these libraries, so it holds their licences too. */
function licences(): string {
  const texts = ['three', 'uplot'].map((name) => `${name}\n\n${readFileSync(`node_modules/${name}/LICENSE`, 'utf8').trim()}`);
  return `<!--\nThis page contains:\n\n${texts.join('\n\n').replaceAll('--', '- -')}\n-->\n`;
}

function inlineEverything(): Plugin {
  return {
    name: 'inline-everything',
    enforce: 'post',
    generateBundle(_options, bundle) {
      const page = bundle['index.html'];
      if (page?.type !== 'asset') return;
      let html = String(page.source);
      for (const [name, file] of Object.entries(bundle)) {
        if (file === page) continue;
        const reference = new RegExp(`<(?:script|link)[^>]*"(?:\\./)?${name.replaceAll('.', '\\.')}"[^>]*>(?:</script>)?`);
        const code = file.type === 'chunk' ? file.code : String(file.source);
        // An end tag inside a string of the code would end the element that holds it.
        const element = file.type === 'chunk'
          ? `<script type="module">${code.replaceAll('</script', '<\\/script')}</script>`
          : `<style>${code}</style>`;
        if (!reference.test(html)) this.error(`index.html does not refer to ${name}`);
        html = html.replace(reference, () => element);
        delete bundle[name];
      }
      page.source = html + licences();
    },
  };
}

export default defineConfig({
  base: './',
  plugins: [inlineEverything()],
  build: {
    target: 'es2022',
    cssCodeSplit: false,
    modulePreload: false,
    assetsInlineLimit: 1 << 20,
    chunkSizeWarningLimit: 2000,
    rollupOptions: { output: { entryFileNames: 'page.js', assetFileNames: 'page.[ext]' } },
  },
});
