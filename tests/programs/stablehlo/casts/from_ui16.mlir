// in: draw 1 0 1 101
// out: hash 3cfa32d760ca556b
// out: hash 3cfa32d760ca556b
// out: hash 3cfa32d760ca556b
// out: hash 14b71ba0d9adfb50
// out: hash bccb6afaeb5f2da7
// out: hash 14b71ba0d9adfb50
// out: hash 4cf25f08e1657c9c
// out: hash 636bc8778dcfb7da
// out: hash 636bc8778dcfb7da
// out: hash 636bc8778dcfb7da
// out: hash 636bc8778dcfb7da
// out: hash 636bc8778dcfb7da
// out: hash 7d23fcbcf56de7a1
// cost: 39 instructions, 881072 ticks
module {
  func.func public @main(%arg0: tensor<5x30xui16>) -> (tensor<5x30xf32>, tensor<5x30xbf16>, tensor<5x30xf16>, tensor<5x30xf8E4M3FN>, tensor<5x30xf8E5M2>, tensor<5x30xf8E4M3>, tensor<5x30xf8E3M4>, tensor<5x30xi8>, tensor<5x30xi16>, tensor<5x30xi32>, tensor<5x30xui8>, tensor<5x30xui32>, tensor<5x30xi1>) {
    %0 = stablehlo.convert %arg0 : (tensor<5x30xui16>) -> tensor<5x30xf32>
    %1 = stablehlo.convert %arg0 : (tensor<5x30xui16>) -> tensor<5x30xbf16>
    %2 = stablehlo.convert %arg0 : (tensor<5x30xui16>) -> tensor<5x30xf16>
    %3 = stablehlo.convert %arg0 : (tensor<5x30xui16>) -> tensor<5x30xf8E4M3FN>
    %4 = stablehlo.convert %arg0 : (tensor<5x30xui16>) -> tensor<5x30xf8E5M2>
    %5 = stablehlo.convert %arg0 : (tensor<5x30xui16>) -> tensor<5x30xf8E4M3>
    %6 = stablehlo.convert %arg0 : (tensor<5x30xui16>) -> tensor<5x30xf8E3M4>
    %7 = stablehlo.convert %arg0 : (tensor<5x30xui16>) -> tensor<5x30xi8>
    %8 = stablehlo.convert %arg0 : (tensor<5x30xui16>) -> tensor<5x30xi16>
    %9 = stablehlo.convert %arg0 : (tensor<5x30xui16>) -> tensor<5x30xi32>
    %10 = stablehlo.convert %arg0 : (tensor<5x30xui16>) -> tensor<5x30xui8>
    %11 = stablehlo.convert %arg0 : (tensor<5x30xui16>) -> tensor<5x30xui32>
    %c = stablehlo.constant dense<0> : tensor<ui16>
    %12 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<ui16>) -> tensor<5x30xui16>
    %13 = stablehlo.compare NE, %arg0, %12, UNSIGNED : (tensor<5x30xui16>, tensor<5x30xui16>) -> tensor<5x30xi1>
    %14 = stablehlo.convert %13 : tensor<5x30xi1>
    return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %14 : tensor<5x30xf32>, tensor<5x30xbf16>, tensor<5x30xf16>, tensor<5x30xf8E4M3FN>, tensor<5x30xf8E5M2>, tensor<5x30xf8E4M3>, tensor<5x30xf8E3M4>, tensor<5x30xi8>, tensor<5x30xi16>, tensor<5x30xi32>, tensor<5x30xui8>, tensor<5x30xui32>, tensor<5x30xi1>
  }
}
