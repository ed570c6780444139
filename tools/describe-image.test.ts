import { afterEach, describe, expect, it } from 'vitest';
import { COLORS, Picture } from '../tasks/gaia/documents/picture.ts';
import { jpegFile, pngBytes } from '../tasks/gaia/documents/picture-files.ts';
import { decodeImage } from './decode-image.ts';
import { openTestSet, type TestSet } from './testing.ts';

let set: TestSet | undefined;
afterEach(() => set?.close());

async function look(content: Uint8Array, name = 'attachment-1.png'): Promise<string> {
  await set?.close();
  set = await openTestSet({ [name]: content });
  const { status, text } = await set.run('describe_image', { file: name });
  expect(status).toBe(200);
  return text;
}

function board(): Picture {
  const picture = new Picture(700, 200, COLORS.paper);
  picture.text('Trial 42', 60, 20);
  picture.rectangle(360, 24, 200, 52, COLORS.green);
  picture.rectangle(60, 120, 60, 60, COLORS.red);
  return picture;
}

/** The header of a PNG that claims this size, and nothing behind it. */
function claimed(width: number, height: number): Uint8Array {
  const bytes = Uint8Array.from(pngBytes(new Picture(8, 8)));
  const view = new DataView(bytes.buffer);
  view.setUint32(16, width);
  view.setUint32(20, height);
  return bytes;
}

describe('describe_image', () => {
  it('gives size, colours, text with the bar beside it, and other areas of one colour', async () => {
    expect((await look(pngBytes(board()))).split('\n')).toEqual([
      'Image: attachment-1.png, PNG, 700 x 200 pixels',
      'Colours: white 89 %, green 7.4 %, red 2.6 %, black 1 %',
      'Text (OCR: Tesseract 5 LSTM, English, core 7.0.0 without relaxed SIMD; read now):',
      'Trial 42  [beside it: green 200 x 52]',
      'Areas of one colour:',
      'red 60 x 60 at 60, 120',
    ]);
  });

  it('turns a photograph that is stored upside down', async () => {
    const text = await look((await jpegFile(board(), 3)).bytes, 'attachment-1.jpg');
    expect(text).toContain('It is stored upside down, as its orientation flag says; seen upright here.');
    expect(text).toContain('Trial 42  [beside it: green');
  });

  it('goes by content, not by name', async () => {
    expect(await look((await jpegFile(board())).bytes, 'attachment-1.png')).toContain('attachment-1.png, JPEG, 700 x 200');
    const heic = Buffer.from('\0\0\0\x18ftypheic\0\0\0\0mif1heic', 'latin1');
    expect(await look(heic, 'attachment-1.jpg')).toBe('attachment-1.jpg is a HEIC picture, which is not read. PNG and JPEG are.');
    expect(await look(Buffer.from('no picture'))).toBe('attachment-1.png is no picture that can be read.');
  });

  it('refuses a picture of 50,000 pixels a side before it unpacks anything', async () => {
    expect(await look(claimed(50_000, 50_000))).toBe('attachment-1.png has 50000 x 50000 pixels; pictures above 40 megapixels are not read.');
    const jpeg = Uint8Array.from((await jpegFile(board())).bytes);
    const frame = jpeg.findIndex((byte, i) => byte === 0xff && jpeg[i + 1] === 0xc0);
    new DataView(jpeg.buffer).setUint32(frame + 5, 50_000 * 65_536 + 50_000);
    expect(await look(jpeg, 'attachment-1.jpg')).toBe('attachment-1.jpg has 50000 x 50000 pixels; pictures above 40 megapixels are not read.');
  });

  it('says so when a picture is damaged, cut, or unpacks to less or more than it claims', async () => {
    const whole = pngBytes(board());
    expect(await look(whole.subarray(0, 60))).toContain('is a damaged PNG picture');
    expect(await look(claimed(4_000, 4_000))).toContain('is a damaged PNG picture: it ends too early');
    expect(await look(claimed(2, 2))).toContain('is a damaged PNG picture');
    expect(await look(claimed(0, 8))).toContain('its header makes no sense');
    const jpeg = (await jpegFile(board())).bytes;
    expect(await look(jpeg.subarray(0, 30), 'attachment-1.jpg')).toContain('is a damaged JPEG picture');
  });
});

describe('pixels', () => {
  it('come out of a PNG as they went in', async () => {
    const picture = board();
    const { pixels } = await decodeImage('a.png', pngBytes(picture));
    expect(Buffer.from(pixels.data).equals(Buffer.from(picture.pixels))).toBe(true);
  });

  // Made by Pillow 12: `Image.new('RGB', (2, 2))` with red, green, blue, white, converted and saved.
  const COLOURED = [255, 0, 0, 0, 255, 0, 0, 0, 255, 255, 255, 255];
  const grey = (...values: number[]) => values.flatMap((value) => [value, value, value]);
  it.each([
    ['palette', COLOURED, 'iVBORw0KGgoAAAANSUhEUgAAAAIAAAACAgMAAAAP2OW3AAAADFBMVEX///8A/wD/AAAAAP8XAUDqAAAADElEQVR4nGOYwGQAAAHoAMPoFXd1AAAAAElFTkSuQmCC'],
    ['RGBA', COLOURED, 'iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAYAAABytg0kAAAAGUlEQVR4nAXBAQ0AAAzDIJbcv+UeRNJNwgM+/wYAhdCTnAAAAABJRU5ErkJggg=='],
    ['grey', grey(76, 150, 29, 255), 'iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAAAAABX3VL4AAAADklEQVR4nGP08WKQ/Q8AA+kBtInqLz8AAAAASUVORK5CYII='],
    ['1 bit', grey(0, 255, 0, 255), 'iVBORw0KGgoAAAANSUhEUgAAAAIAAAACAQAAAABazTCJAAAADElEQVR4nGNwYGIAAADIAEPNLySVAAAAAElFTkSuQmCC'],
    ['16 bit', grey(156, 156, 156, 156), 'iVBORw0KGgoAAAANSUhEUgAAAAIAAAACEAAAAAAHTY67AAAAEklEQVR4nGOc48DAwMTAwMAAAAeaAOBZmLDcAAAAAElFTkSuQmCC'],
  ])('come out of a %s PNG by another writer', async (_, expected, base64) => {
    const { pixels } = await decodeImage('a.png', Buffer.from(base64, 'base64'));
    expect([...pixels.data]).toEqual(expected);
  });
});
