// in: draw 1 -100 1 201
// out: hash 7976cff66cd7f560
// out: hash 7976cff66cd7f560
// out: hash 7976cff66cd7f560
// out: hash 5292f6267a69381d
// out: hash eaa682cd8f788e4b
// out: hash 5292f6267a69381d
// out: hash d800b883d837644a
// out: hash c499d01829adc352
// out: hash c499d01829adc352
// out: hash 307d558f5f57e092
// out: hash 66e23c8ddd0b2223
// out: hash 074e032f064d608d
// out: hash 7db1b0d74a9378aa
// cost: 39 instructions, 880752 ticks
module {
  func.func public @main(%arg0: tensor<5x30xi8>) -> (tensor<5x30xf32>, tensor<5x30xbf16>, tensor<5x30xf16>, tensor<5x30xf8E4M3FN>, tensor<5x30xf8E5M2>, tensor<5x30xf8E4M3>, tensor<5x30xf8E3M4>, tensor<5x30xi16>, tensor<5x30xi32>, tensor<5x30xui8>, tensor<5x30xui16>, tensor<5x30xui32>, tensor<5x30xi1>) {
    %0 = stablehlo.convert %arg0 : (tensor<5x30xi8>) -> tensor<5x30xf32>
    %1 = stablehlo.convert %arg0 : (tensor<5x30xi8>) -> tensor<5x30xbf16>
    %2 = stablehlo.convert %arg0 : (tensor<5x30xi8>) -> tensor<5x30xf16>
    %3 = stablehlo.convert %arg0 : (tensor<5x30xi8>) -> tensor<5x30xf8E4M3FN>
    %4 = stablehlo.convert %arg0 : (tensor<5x30xi8>) -> tensor<5x30xf8E5M2>
    %5 = stablehlo.convert %arg0 : (tensor<5x30xi8>) -> tensor<5x30xf8E4M3>
    %6 = stablehlo.convert %arg0 : (tensor<5x30xi8>) -> tensor<5x30xf8E3M4>
    %7 = stablehlo.convert %arg0 : (tensor<5x30xi8>) -> tensor<5x30xi16>
    %8 = stablehlo.convert %arg0 : (tensor<5x30xi8>) -> tensor<5x30xi32>
    %9 = stablehlo.convert %arg0 : (tensor<5x30xi8>) -> tensor<5x30xui8>
    %10 = stablehlo.convert %arg0 : (tensor<5x30xi8>) -> tensor<5x30xui16>
    %11 = stablehlo.convert %arg0 : (tensor<5x30xi8>) -> tensor<5x30xui32>
    %c = stablehlo.constant dense<0> : tensor<i8>
    %12 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i8>) -> tensor<5x30xi8>
    %13 = stablehlo.compare NE, %arg0, %12, SIGNED : (tensor<5x30xi8>, tensor<5x30xi8>) -> tensor<5x30xi1>
    %14 = stablehlo.convert %13 : tensor<5x30xi1>
    return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %14 : tensor<5x30xf32>, tensor<5x30xbf16>, tensor<5x30xf16>, tensor<5x30xf8E4M3FN>, tensor<5x30xf8E5M2>, tensor<5x30xf8E4M3>, tensor<5x30xf8E3M4>, tensor<5x30xi16>, tensor<5x30xi32>, tensor<5x30xui8>, tensor<5x30xui16>, tensor<5x30xui32>, tensor<5x30xi1>
  }
}
