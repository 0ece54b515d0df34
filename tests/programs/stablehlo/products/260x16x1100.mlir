// tolerance: 0.02
// in: draw 1 -1 0.0078125 257
// in: draw 2 -1 0.0078125 257
// out: sums -362.541008 -386.076661 -437.056554 -15.1349838 -1.82861114 116.685168 58.3295951 222.190305 -31.9291718 -48.0918887 -34.3493311 -350.419054 107.926729 15.289947 -231.219718 23.1367352
// cost: 51 instructions, 1355347 ticks
module {
  func.func public @main(%arg0: tensor<260x16xbf16>, %arg1: tensor<16x1100xbf16>) -> (tensor<260x1100xbf16>) {
    %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<260x16xbf16>, tensor<16x1100xbf16>) -> tensor<260x1100xbf16>
    return %0 : tensor<260x1100xbf16>
  }
}
