// in: draw 1 -1 0.0078125 257
// out: 0.554688 1 0.945312 0.929688 0.984375 0.585938 0.9375 1 0.929688 0.984375 0.898438 0.921875 0.898438 0.9375 0.984375 0.75 0.84375 0.984375 0.820312 1 0.84375 0.859375 0.960938 0.984375 0.820312 0.945312 0.921875 0.96875 0.976562 0.984375
// out: -0.945312 -0.976562 -0.992188 -0.859375 -0.9375 -0.890625 -0.96875 -0.953125 -0.9375 -0.953125 -0.976562 -0.976562 -0.976562 -0.8125 -0.992188 -0.898438 -0.945312 -0.960938 -0.984375 -0.90625
// cost: 8 instructions, 823245 ticks
module {
  func.func public @main(%arg0: tensor<30x20xbf16>) -> (tensor<30xbf16>, tensor<20xbf16>) {
    %cst = stablehlo.constant dense<0xFF80> : tensor<bf16>
    %0 = stablehlo.reduce(%arg0 init: %cst) applies stablehlo.maximum across dimensions = [1] : (tensor<30x20xbf16>, tensor<bf16>) -> tensor<30xbf16>
    %cst_0 = stablehlo.constant dense<0x7F80> : tensor<bf16>
    %1 = stablehlo.reduce(%arg0 init: %cst_0) applies stablehlo.minimum across dimensions = [0] : (tensor<30x20xbf16>, tensor<bf16>) -> tensor<20xbf16>
    return %0, %1 : tensor<30xbf16>, tensor<20xbf16>
  }
}
