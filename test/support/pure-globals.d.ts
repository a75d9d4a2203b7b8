// The only globals that a pure room may use besides the language: UTF-8 and base64, which have no clock and no I/O.
declare class TextDecoder {
  constructor(label?: string, options?: { fatal?: boolean; ignoreBOM?: boolean });
  decode(input?: Uint8Array, options?: { stream?: boolean }): string;
}
declare class TextEncoder {
  encode(input?: string): Uint8Array<ArrayBuffer>;
}
declare function atob(data: string): string;
declare function btoa(data: string): string;
