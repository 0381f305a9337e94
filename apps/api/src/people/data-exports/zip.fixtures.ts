import yauzl from 'yauzl';

export const unzip = (bytes: Buffer): Promise<Map<string, Buffer>> =>
  new Promise((resolve, reject) => {
    yauzl.fromBuffer(bytes, { lazyEntries: true }, (failed, zip) => {
      if (failed) return reject(failed);
      const files = new Map<string, Buffer>();
      zip.once('error', reject).once('end', () => resolve(files));
      zip.on('entry', (entry: yauzl.Entry) => {
        zip.openReadStream(entry, (broken, stream) => {
          if (broken) return reject(broken);
          stream.toArray().then((parts) => {
            files.set(entry.fileName, Buffer.concat(parts));
            zip.readEntry();
          }, reject);
        });
      });
      zip.readEntry();
    });
  });
