// tolerance: 0.02
// in: draw 1 -2 0.015625 257
// out: sums 30.449158 22.0463018 28.9426324 22.3698196 27.1963825 19.7675567 37.7872772 25.8640661 18.8561258 32.9471846 31.6614838 26.0577726 37.042429 23.7651098 27.4129622 9.32719231
// cost: 3 instructions, 586339 ticks
module {
  func.func public @main(%arg0: tensor<30x33xbf16>) -> (tensor<30x33xbf16>) {
    %0 = call @silu(%arg0) : (tensor<30x33xbf16>) -> tensor<30x33xbf16>
    return %0 : tensor<30x33xbf16>
  }
  func.func private @silu(%arg0: tensor<30x33xbf16>) -> tensor<30x33xbf16> {
    %0 = stablehlo.negate %arg0 : tensor<30x33xbf16>
    %1 = stablehlo.exponential %0 : tensor<30x33xbf16>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<bf16>
    %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<bf16>) -> tensor<30x33xbf16>
    %3 = stablehlo.add %2, %1 : tensor<30x33xbf16>
    %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<bf16>
    %4 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<bf16>) -> tensor<30x33xbf16>
    %5 = stablehlo.divide %4, %3 : tensor<30x33xbf16>
    %6 = stablehlo.multiply %arg0, %5 : tensor<30x33xbf16>
    return %6 : tensor<30x33xbf16>
  }
}
