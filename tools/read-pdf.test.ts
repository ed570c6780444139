import { degrees, PDFDocument, type PDFPage, StandardFonts } from '@cantoo/pdf-lib';
import { afterEach, describe, expect, it } from 'vitest';
import { Picture } from '../tasks/gaia/documents/picture.ts';
import { jpegFile } from '../tasks/gaia/documents/picture-files.ts';
import { openTestSet, type TestSet } from './testing.ts';

let set: TestSet | undefined;
afterEach(() => set?.close());

type Draw = (page: PDFPage, text: (text: string, x: number, y: number, size?: number) => void) => void;

async function pdf(...pages: Draw[]): Promise<Uint8Array> {
  const document = await PDFDocument.create();
  const font = await document.embedFont(StandardFonts.Helvetica);
  for (const draw of pages) {
    const page = document.addPage([595, 842]);
    draw(page, (text, x, y, size = 11) => page.drawText(text, { x, y, size, font }));
  }
  return document.save();
}

async function readPdf(content: Uint8Array, more: Record<string, unknown> = {}): Promise<string> {
  await set?.close();
  set = await openTestSet({ 'attachment-1.pdf': content });
  const { status, text } = await set.run('read_pdf', { file: 'attachment-1.pdf', ...more });
  expect(status).toBe(200);
  return text;
}

describe('read_pdf', () => {
  it('gives each page with its lines from top to bottom, in whatever order they were drawn', async () => {
    const bytes = await pdf(
      (_, text) => {
        text('second line', 50, 700);
        text('first line', 50, 716);
      },
      () => {},
    );
    expect(await readPdf(bytes)).toBe('Page 1 of 2\nfirst line\nsecond line\n\nPage 2 of 2\n(no text on this page)');
  });

  it('parts the columns of a table by two blanks', async () => {
    const bytes = await pdf((_, text) => {
      text('Year', 50, 700);
      text('Visitors', 150, 700);
      text('1,200.50', 250, 684);
      text('1987', 50, 684);
      text('48,210', 150, 684.4);
    });
    expect(await readPdf(bytes)).toBe('Page 1 of 1\nYear  Visitors\n1987  48,210  1,200.50');
  });

  it('joins words that were drawn one by one, with one blank', async () => {
    const bytes = await pdf((_, text) => {
      text('Harlow', 50, 700);
      text('House', 87, 700);
      text('2', 117, 704, 6);
    });
    expect(await readPdf(bytes)).toBe('Page 1 of 1\nHarlow House2');
  });

  it('reads prose in two columns down one column and then the other, and keeps the heading above both', async () => {
    const bytes = await pdf((_, text) => {
      text('A heading that runs over the whole width of this page and both of its columns', 50, 740, 13);
      for (let line = 0; line < 8; line++) {
        text(`left text that fills its column ${line}`, 50, 700 - line * 14);
        text(`right text that fills its column ${line}`, 310, 700 - line * 14);
      }
    });
    const lines = (await readPdf(bytes)).split('\n').filter((line) => line.includes('text'));
    expect(lines.map((line) => line.replace(' text that fills its column', ''))).toEqual(
      [...Array(8).keys()].map((i) => `left ${i}`).concat([...Array(8).keys()].map((i) => `right ${i}`)),
    );
  });

  it('keeps the rows of a wide table although its cells stand in two columns', async () => {
    const bytes = await pdf((_, text) => {
      for (let row = 0; row < 10; row++) {
        text(`Town ${row}`, 50, 700 - row * 14);
        text(String(row * 1_000), 310, 700 - row * 14);
      }
    });
    expect(await readPdf(bytes)).toContain('\nTown 3  3000\nTown 4  4000\n');
  });

  it('reads a page that lies on its side upright', async () => {
    const document = await PDFDocument.create();
    const page = document.addPage([595, 842]);
    page.setRotation(degrees(90));
    page.drawText('first', { x: 100, y: 100, size: 11, rotate: degrees(90) });
    page.drawText('second', { x: 120, y: 100, size: 11, rotate: degrees(90) });
    expect(await readPdf(await document.save())).toBe('Page 1 of 1\nfirst\nsecond');
  });

  const scan = async (text: string) => {
    const picture = new Picture(700, 160);
    picture.text(text, 60, 40);
    return (await jpegFile(picture)).bytes;
  };
  const scanned = async (encrypt: Parameters<PDFDocument['encrypt']>[0] | undefined, ...pages: (string | Uint8Array)[]) => {
    const document = await PDFDocument.create();
    for (const content of pages) {
      const page = document.addPage([595, 842]);
      if (typeof content === 'string') page.drawText(content, { x: 50, y: 700, size: 11 });
      else page.drawImage(await document.embedJpg(content), { x: 20, y: 500, width: 500, height: 114 });
    }
    if (encrypt) document.encrypt(encrypt);
    return document.save();
  };

  it('reads scanned pages by OCR, and names them in its first line', async () => {
    const text = await readPdf(await scanned(undefined, 'first', await scan('Rope 112'), await scan('Slate 245'), 'last'));
    expect(text).toBe(
      '[Without text, scanned: pages 2-3. What stands there was read by OCR: Tesseract 5 LSTM, English, core 7.0.0 without relaxed SIMD; read now.]\n' +
        'Page 1 of 4\nfirst\n\nPage 2 of 4\nRope 112\n\nPage 3 of 4\nSlate 245\n\nPage 4 of 4\nlast',
    );
  });

  it('names the pictures of a page that has text too, with what stands in them, and reads no more than fits the time', async () => {
    const document = await PDFDocument.create();
    const rule = new Picture(400, 8);
    const blank = new Picture(2_400, 2_000);
    const pictures = [await scan('Rope 112'), (await jpegFile(rule)).bytes, (await jpegFile(blank)).bytes];
    const page = document.addPage([595, 842]);
    page.drawText('Figure 1 shows the price.', { x: 50, y: 800, size: 11 });
    for (const [i, bytes] of pictures.entries()) page.drawImage(await document.embedJpg(bytes), { x: 20, y: 600 - 150 * i, width: 500, height: 114 });
    expect(await readPdf(await document.save())).toBe(
      'Page 1 of 1\nFigure 1 shows the price.\n' +
        '[Picture, 700 x 160 pixels, read by OCR: Tesseract 5 LSTM, English, core 7.0.0 without relaxed SIMD; read now: Rope 112]\n' +
        '[Picture, 2400 x 2000 pixels, not read, since the pictures before it took the time]',
    );
  });

  it('says so when a page is a picture that is too large', async () => {
    const picture = Uint8Array.from(await scan('Rope 112'));
    const frame = picture.findIndex((byte, i) => byte === 0xff && picture[i + 1] === 0xc0);
    new DataView(picture.buffer).setUint32(frame + 5, 50_000 * 65_536 + 50_000);
    expect(await readPdf(await scanned(undefined, picture))).toBe(
      '[Without text: page 1. What is drawn there is no text, and no picture that can be read.]\nPage 1 of 1\n(drawn, not read)',
    );
  });

  it('reads a file that only its owner may change', async () => {
    expect(await readPdf(await scanned({ userPassword: '', ownerPassword: 'owner' }, 'open to all'))).toBe('Page 1 of 1\nopen to all');
  });

  it('ends on a file whose pages point at each other in a circle', async () => {
    const circle = [
      '1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj',
      '2 0 obj<</Type/Pages/Count 2/Kids[3 0 R 2 0 R]/Parent 3 0 R>>endobj',
      '3 0 obj<</Type/Pages/Count 1/Kids[2 0 R]/Parent 2 0 R>>endobj',
      'trailer<</Root 1 0 R/Size 4/Prev 0>>',
    ].join('\n');
    expect(await readPdf(Buffer.from(`%PDF-1.4\n${circle}`))).toMatch(/cannot be read|no text on this page|was given up/);
  });

  it('ends on a form that draws itself', async () => {
    const form = 'BT /F 9 Tf 1 0 0 1 50 700 Tm (once) Tj ET /X Do';
    const resources = '/Resources<</Font<</F 5 0 R>>/XObject<</X 6 0 R>>>>';
    const circle = [
      '1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj',
      '2 0 obj<</Type/Pages/Count 1/Kids[3 0 R]>>endobj',
      `3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]${resources}/Contents 4 0 R>>endobj`,
      '4 0 obj<</Length 5>>stream\n/X Do\nendstream endobj',
      '5 0 obj<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>endobj',
      `6 0 obj<</Type/XObject/Subtype/Form/BBox[0 0 595 842]${resources}/Length ${form.length}>>stream\n${form}\nendstream endobj`,
      'trailer<</Root 1 0 R/Size 7>>',
    ].join('\n');
    expect(await readPdf(Buffer.from(`%PDF-1.4\n${circle}`))).toMatch(/^Page 1 of 1\nonce|cannot be read|was given up/);
  });

  it('gives a range of pages', async () => {
    const bytes = await pdf(
      ...[1, 2, 3].map(
        (n): Draw =>
          (_, text) =>
            text(`text ${n}`, 50, 700),
      ),
    );
    expect(await readPdf(bytes, { first_page: 2, last_page: 2 })).toBe('Page 2 of 3\ntext 2');
    expect(await readPdf(bytes, { first_page: 3, last_page: 9 })).toBe('Page 3 of 3\ntext 3');
    expect(await readPdf(bytes, { first_page: 4 })).toBe('There are no pages 4 to the end: the file has 3 pages.');
  });

  it('says so when a file is encrypted, damaged or no PDF', async () => {
    const document = await PDFDocument.create();
    document.addPage();
    document.encrypt({ userPassword: 'secret', ownerPassword: 'owner' });
    expect(await readPdf(await document.save())).toBe('attachment-1.pdf is encrypted and needs a password, so it cannot be read.');
    expect(await readPdf(Buffer.from('no PDF at all'))).toBe('attachment-1.pdf cannot be read: it is damaged or no PDF.');
    expect(await readPdf(Buffer.from('%PDF-1.7\n1 0 obj\n<</Type/Catalog'))).toContain('attachment-1.pdf cannot be read: ');
    expect(await readPdf(new Uint8Array())).toContain('attachment-1.pdf cannot be read: ');
  });

  it('reads what can be saved of a file that is cut short, or says that it is damaged', async () => {
    const whole = await pdf((_, text) => text('some text', 50, 700));
    expect(await readPdf(whole.subarray(0, whole.length - 200))).toMatch(/^Page 1 of 1\nsome text$|cannot be read/);
  });
});
