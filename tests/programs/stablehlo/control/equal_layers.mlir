// tolerance: 0.0001
// in: draw 1 -1 9.5367431640625e-07 2097153
// in: draw 2 -1 0.001953125 257
// in: draw 3 -1 0.001953125 257
// in: draw 4 -1 0.001953125 257
// in: draw 5 -1 0.001953125 257
// in: draw 6 -1 0.001953125 257
// in: draw 7 -1 0.001953125 257
// out: sums 35.2872015 33.4819852 23.1479551 39.0786507 51.6159008 42.7703804 54.8562568 28.6944758 32.6788462 51.2952267 26.1510812 32.813236 49.1200085 16.5810679 21.6468744 26.8866496
// cost: 37 instructions, 1611041 ticks
module {
  func.func public @main(%arg0: tensor<24x16xf32>, %arg1: tensor<16x16xf32>, %arg2: tensor<16x16xf32>, %arg3: tensor<16x16xf32>, %arg4: tensor<16x16xf32>, %arg5: tensor<16x16xf32>, %arg6: tensor<16x16xf32>) -> (tensor<24x16xf32>) {
    %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<24x16xf32>, tensor<16x16xf32>) -> tensor<24x16xf32>
    %1 = call @relu(%0) : (tensor<24x16xf32>) -> tensor<24x16xf32>
    %2 = stablehlo.add %1, %arg0 : tensor<24x16xf32>
    %3 = stablehlo.dot_general %2, %arg2, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<24x16xf32>, tensor<16x16xf32>) -> tensor<24x16xf32>
    %4 = call @relu(%3) : (tensor<24x16xf32>) -> tensor<24x16xf32>
    %5 = stablehlo.add %4, %2 : tensor<24x16xf32>
    %6 = stablehlo.dot_general %5, %arg3, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<24x16xf32>, tensor<16x16xf32>) -> tensor<24x16xf32>
    %7 = call @relu(%6) : (tensor<24x16xf32>) -> tensor<24x16xf32>
    %8 = stablehlo.add %7, %5 : tensor<24x16xf32>
    %9 = stablehlo.dot_general %8, %arg4, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<24x16xf32>, tensor<16x16xf32>) -> tensor<24x16xf32>
    %10 = call @relu(%9) : (tensor<24x16xf32>) -> tensor<24x16xf32>
    %11 = stablehlo.add %10, %8 : tensor<24x16xf32>
    %12 = stablehlo.dot_general %11, %arg5, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<24x16xf32>, tensor<16x16xf32>) -> tensor<24x16xf32>
    %13 = call @relu(%12) : (tensor<24x16xf32>) -> tensor<24x16xf32>
    %14 = stablehlo.add %13, %11 : tensor<24x16xf32>
    %15 = stablehlo.dot_general %14, %arg6, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<24x16xf32>, tensor<16x16xf32>) -> tensor<24x16xf32>
    %16 = call @relu(%15) : (tensor<24x16xf32>) -> tensor<24x16xf32>
    %17 = stablehlo.add %16, %14 : tensor<24x16xf32>
    return %17 : tensor<24x16xf32>
  }
  func.func private @relu(%arg0: tensor<24x16xf32>) -> tensor<24x16xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<24x16xf32>
    %1 = stablehlo.maximum %arg0, %0 : tensor<24x16xf32>
    return %1 : tensor<24x16xf32>
  }
}
