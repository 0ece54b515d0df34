// in: draw 1 0 1 2
// out: hash d07e8b32ecd07b57
// out: hash d07e8b32ecd07b57
// out: hash d07e8b32ecd07b57
// out: hash d07e8b32ecd07b57
// out: hash d07e8b32ecd07b57
// out: hash d07e8b32ecd07b57
// out: hash d07e8b32ecd07b57
// out: hash d1cf60e604c895a3
// out: hash d1cf60e604c895a3
// out: hash d1cf60e604c895a3
// out: hash d1cf60e604c895a3
// out: hash d1cf60e604c895a3
// out: hash d1cf60e604c895a3
// cost: 39 instructions, 880752 ticks
module {
  func.func public @main(%arg0: tensor<5x30xi1>) -> (tensor<5x30xf32>, tensor<5x30xbf16>, tensor<5x30xf16>, tensor<5x30xf8E4M3FN>, tensor<5x30xf8E5M2>, tensor<5x30xf8E4M3>, tensor<5x30xf8E3M4>, tensor<5x30xi8>, tensor<5x30xi16>, tensor<5x30xi32>, tensor<5x30xui8>, tensor<5x30xui16>, tensor<5x30xui32>) {
    %0 = stablehlo.convert %arg0 : (tensor<5x30xi1>) -> tensor<5x30xf32>
    %1 = stablehlo.convert %arg0 : (tensor<5x30xi1>) -> tensor<5x30xbf16>
    %2 = stablehlo.convert %arg0 : (tensor<5x30xi1>) -> tensor<5x30xf16>
    %3 = stablehlo.convert %arg0 : (tensor<5x30xi1>) -> tensor<5x30xf8E4M3FN>
    %4 = stablehlo.convert %arg0 : (tensor<5x30xi1>) -> tensor<5x30xf8E5M2>
    %5 = stablehlo.convert %arg0 : (tensor<5x30xi1>) -> tensor<5x30xf8E4M3>
    %6 = stablehlo.convert %arg0 : (tensor<5x30xi1>) -> tensor<5x30xf8E3M4>
    %7 = stablehlo.convert %arg0 : (tensor<5x30xi1>) -> tensor<5x30xi8>
    %8 = stablehlo.convert %arg0 : (tensor<5x30xi1>) -> tensor<5x30xi16>
    %9 = stablehlo.convert %arg0 : (tensor<5x30xi1>) -> tensor<5x30xi32>
    %10 = stablehlo.convert %arg0 : (tensor<5x30xi1>) -> tensor<5x30xui8>
    %11 = stablehlo.convert %arg0 : (tensor<5x30xi1>) -> tensor<5x30xui16>
    %12 = stablehlo.convert %arg0 : (tensor<5x30xi1>) -> tensor<5x30xui32>
    return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12 : tensor<5x30xf32>, tensor<5x30xbf16>, tensor<5x30xf16>, tensor<5x30xf8E4M3FN>, tensor<5x30xf8E5M2>, tensor<5x30xf8E4M3>, tensor<5x30xf8E3M4>, tensor<5x30xi8>, tensor<5x30xi16>, tensor<5x30xi32>, tensor<5x30xui8>, tensor<5x30xui16>, tensor<5x30xui32>
  }
}
