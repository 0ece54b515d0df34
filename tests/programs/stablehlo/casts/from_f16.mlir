// in: draw 1 -10 0.125 161
// out: hash 2e35aa5b05aa668e
// out: hash 2e35aa5b05aa668e
// out: hash c14e767ba1b346d5
// out: hash ed87aa57d2f1c397
// out: hash c14e767ba1b346d5
// out: hash 8b048501e06e2a98
// out: hash fada5d3d0b1cc841
// out: hash fada5d3d0b1cc841
// out: hash fada5d3d0b1cc841
// out: hash c2927508fc2e886c
// out: hash c2927508fc2e886c
// out: hash c2927508fc2e886c
// out: hash 21abfc6b0d8de86f
// cost: 111 instructions, 1829712 ticks
module {
  func.func public @main(%arg0: tensor<5x30xf16>) -> (tensor<5x30xf32>, tensor<5x30xbf16>, tensor<5x30xf8E4M3FN>, tensor<5x30xf8E5M2>, tensor<5x30xf8E4M3>, tensor<5x30xf8E3M4>, tensor<5x30xi8>, tensor<5x30xi16>, tensor<5x30xi32>, tensor<5x30xui8>, tensor<5x30xui16>, tensor<5x30xui32>, tensor<5x30xi1>) {
    %0 = stablehlo.convert %arg0 : (tensor<5x30xf16>) -> tensor<5x30xf32>
    %1 = stablehlo.convert %arg0 : (tensor<5x30xf16>) -> tensor<5x30xbf16>
    %2 = stablehlo.convert %arg0 : (tensor<5x30xf16>) -> tensor<5x30xf8E4M3FN>
    %3 = stablehlo.convert %arg0 : (tensor<5x30xf16>) -> tensor<5x30xf8E5M2>
    %4 = stablehlo.convert %arg0 : (tensor<5x30xf16>) -> tensor<5x30xf8E4M3>
    %5 = stablehlo.convert %arg0 : (tensor<5x30xf16>) -> tensor<5x30xf8E3M4>
    %6 = stablehlo.convert %arg0 : (tensor<5x30xf16>) -> tensor<5x30xi8>
    %7 = stablehlo.convert %arg0 : (tensor<5x30xf16>) -> tensor<5x30xi16>
    %8 = stablehlo.convert %arg0 : (tensor<5x30xf16>) -> tensor<5x30xi32>
    %9 = stablehlo.convert %arg0 : (tensor<5x30xf16>) -> tensor<5x30xui8>
    %10 = stablehlo.convert %arg0 : (tensor<5x30xf16>) -> tensor<5x30xui16>
    %11 = stablehlo.convert %arg0 : (tensor<5x30xf16>) -> tensor<5x30xui32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f16>
    %12 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f16>) -> tensor<5x30xf16>
    %13 = stablehlo.compare NE, %arg0, %12, FLOAT : (tensor<5x30xf16>, tensor<5x30xf16>) -> tensor<5x30xi1>
    %14 = stablehlo.convert %13 : tensor<5x30xi1>
    return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %14 : tensor<5x30xf32>, tensor<5x30xbf16>, tensor<5x30xf8E4M3FN>, tensor<5x30xf8E5M2>, tensor<5x30xf8E4M3>, tensor<5x30xf8E3M4>, tensor<5x30xi8>, tensor<5x30xi16>, tensor<5x30xi32>, tensor<5x30xui8>, tensor<5x30xui16>, tensor<5x30xui32>, tensor<5x30xi1>
  }
}
