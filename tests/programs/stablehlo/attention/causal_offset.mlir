// tolerance: 0.0002
// in: draw 1 -1 9.5367431640625e-07 2097153
// in: draw 2 -1 9.5367431640625e-07 2097153
// in: draw 3 -1 9.5367431640625e-07 2097153
// out: sums -1.23695254 -1.94475532 -0.888535385 -1.80104448 -1.45271642 -0.767559011 -1.55352071 -2.715213 -2.41321556 -1.7317895 -0.799325205 -2.1627179 -2.90991444 0.580733883 -2.47700751 -3.12534915
// cost: 33 instructions, 1350651 ticks
module {
  func.func public @main(%arg0: tensor<2x20x16xf32>, %arg1: tensor<2x30x16xf32>, %arg2: tensor<2x30x16xf32>) -> (tensor<2x20x16xf32>) {
    %0 = stablehlo.iota dim = 0 : tensor<20xi32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [0] : (tensor<20xi32>) -> tensor<20x1xi32>
    %c = stablehlo.constant dense<10> : tensor<i32>
    %2 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<20x1xi32>
    %3 = stablehlo.add %1, %2 : tensor<20x1xi32>
    %4 = stablehlo.iota dim = 0 : tensor<30xi32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [1] : (tensor<30xi32>) -> tensor<1x30xi32>
    %6 = stablehlo.broadcast_in_dim %3, dims = [0, 1] : (tensor<20x1xi32>) -> tensor<20x30xi32>
    %7 = stablehlo.broadcast_in_dim %5, dims = [0, 1] : (tensor<1x30xi32>) -> tensor<20x30xi32>
    %8 = stablehlo.compare GE, %6, %7, SIGNED : (tensor<20x30xi32>, tensor<20x30xi32>) -> tensor<20x30xi1>
    %9 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0] x [0], contracting_dims = [2] x [2], precision = [DEFAULT, DEFAULT] : (tensor<2x20x16xf32>, tensor<2x30x16xf32>) -> tensor<2x20x30xf32>
    %cst = stablehlo.constant dense<2.500000e-01> : tensor<f32>
    %10 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x20x30xf32>
    %11 = stablehlo.multiply %9, %10 : tensor<2x20x30xf32>
    %cst_0 = stablehlo.constant dense<-1.000000e+30> : tensor<f32>
    %12 = call @_where(%8, %11, %cst_0) : (tensor<20x30xi1>, tensor<2x20x30xf32>, tensor<f32>) -> tensor<2x20x30xf32>
    %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %13 = stablehlo.reduce(%12 init: %cst_1) applies stablehlo.maximum across dimensions = [2] : (tensor<2x20x30xf32>, tensor<f32>) -> tensor<2x20xf32>
    %cst_2 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %14 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<2x20xf32>
    %15 = stablehlo.maximum %14, %13 : tensor<2x20xf32>
    %16 = stablehlo.broadcast_in_dim %15, dims = [0, 1] : (tensor<2x20xf32>) -> tensor<2x20x1xf32>
    %17 = stablehlo.broadcast_in_dim %16, dims = [0, 1, 2] : (tensor<2x20x1xf32>) -> tensor<2x20x30xf32>
    %18 = stablehlo.subtract %12, %17 : tensor<2x20x30xf32>
    %19 = stablehlo.exponential %18 : tensor<2x20x30xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %20 = stablehlo.reduce(%19 init: %cst_3) applies stablehlo.add across dimensions = [2] : (tensor<2x20x30xf32>, tensor<f32>) -> tensor<2x20xf32>
    %21 = stablehlo.broadcast_in_dim %20, dims = [0, 1] : (tensor<2x20xf32>) -> tensor<2x20x1xf32>
    %22 = stablehlo.broadcast_in_dim %21, dims = [0, 1, 2] : (tensor<2x20x1xf32>) -> tensor<2x20x30xf32>
    %23 = stablehlo.divide %19, %22 : tensor<2x20x30xf32>
    %24 = stablehlo.dot_general %23, %arg2, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x20x30xf32>, tensor<2x30x16xf32>) -> tensor<2x20x16xf32>
    return %24 : tensor<2x20x16xf32>
  }
  func.func private @_where(%arg0: tensor<20x30xi1>, %arg1: tensor<2x20x30xf32>, %arg2: tensor<f32>) -> tensor<2x20x30xf32> {
    %0 = stablehlo.convert %arg2 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %arg0, dims = [1, 2] : (tensor<20x30xi1>) -> tensor<2x20x30xi1>
    %2 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<2x20x30xf32>
    %3 = stablehlo.select %1, %arg1, %2 : tensor<2x20x30xi1>, tensor<2x20x30xf32>
    return %3 : tensor<2x20x30xf32>
  }
}
