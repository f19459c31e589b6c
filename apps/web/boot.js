// Unpacks the page's program, which is gzip in base64, and runs it.
(async () => {
  try {
    if (!self.DecompressionStream) throw new Error('This browser is too old for this page: it cannot unpack gzip. Browsers since 2023 can.');
    const bytes = Uint8Array.from(atob(document.getElementById('page-js').textContent), (c) => c.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
    const script = document.createElement('script');
    script.textContent = await new Response(stream).text();
    document.body.append(script);
  } catch (error) {
    document.getElementById('note').textContent = error.message;
  }
})();
