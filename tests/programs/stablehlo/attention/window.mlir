// tolerance: 0.0002
// in: draw 1 -1 9.5367431640625e-07 2097153
// in: draw 2 -1 9.5367431640625e-07 2097153
// in: draw 3 -1 9.5367431640625e-07 2097153
// out: sums -9.47885853 -8.01335471 -2.57242325 -0.362946004 0.636661445 -3.20893795 -2.28017174 -3.77474358 -6.56817871 -3.36739371 -7.74433949 -5.28177177 -2.43310537 3.73919019 -8.7780787 -4.2455876
// cost: 44 instructions, 2563997 ticks
module {
  func.func public @main(%arg0: tensor<2x40x16xf32>, %arg1: tensor<2x40x16xf32>, %arg2: tensor<2x40x16xf32>) -> (tensor<2x40x16xf32>) {
    %0 = stablehlo.iota dim = 0 : tensor<40xi32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [0] : (tensor<40xi32>) -> tensor<40x1xi32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %2 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<40x1xi32>
    %3 = stablehlo.add %1, %2 : tensor<40x1xi32>
    %4 = stablehlo.iota dim = 0 : tensor<40xi32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [1] : (tensor<40xi32>) -> tensor<1x40xi32>
    %6 = stablehlo.broadcast_in_dim %3, dims = [0, 1] : (tensor<40x1xi32>) -> tensor<40x40xi32>
    %7 = stablehlo.broadcast_in_dim %5, dims = [0, 1] : (tensor<1x40xi32>) -> tensor<40x40xi32>
    %8 = stablehlo.compare GE, %6, %7, SIGNED : (tensor<40x40xi32>, tensor<40x40xi32>) -> tensor<40x40xi1>
    %9 = stablehlo.iota dim = 0 : tensor<40xi32>
    %10 = stablehlo.broadcast_in_dim %9, dims = [0] : (tensor<40xi32>) -> tensor<40x1xi32>
    %c_0 = stablehlo.constant dense<-8> : tensor<i32>
    %11 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<40x1xi32>
    %12 = stablehlo.add %10, %11 : tensor<40x1xi32>
    %13 = stablehlo.iota dim = 0 : tensor<40xi32>
    %14 = stablehlo.broadcast_in_dim %13, dims = [1] : (tensor<40xi32>) -> tensor<1x40xi32>
    %15 = stablehlo.broadcast_in_dim %12, dims = [0, 1] : (tensor<40x1xi32>) -> tensor<40x40xi32>
    %16 = stablehlo.broadcast_in_dim %14, dims = [0, 1] : (tensor<1x40xi32>) -> tensor<40x40xi32>
    %17 = stablehlo.compare GE, %15, %16, SIGNED : (tensor<40x40xi32>, tensor<40x40xi32>) -> tensor<40x40xi1>
    %18 = stablehlo.not %17 : tensor<40x40xi1>
    %19 = stablehlo.and %8, %18 : tensor<40x40xi1>
    %20 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0] x [0], contracting_dims = [2] x [2], precision = [DEFAULT, DEFAULT] : (tensor<2x40x16xf32>, tensor<2x40x16xf32>) -> tensor<2x40x40xf32>
    %cst = stablehlo.constant dense<2.500000e-01> : tensor<f32>
    %21 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x40x40xf32>
    %22 = stablehlo.multiply %20, %21 : tensor<2x40x40xf32>
    %cst_1 = stablehlo.constant dense<-1.000000e+30> : tensor<f32>
    %23 = call @_where(%19, %22, %cst_1) : (tensor<40x40xi1>, tensor<2x40x40xf32>, tensor<f32>) -> tensor<2x40x40xf32>
    %cst_2 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %24 = stablehlo.reduce(%23 init: %cst_2) applies stablehlo.maximum across dimensions = [2] : (tensor<2x40x40xf32>, tensor<f32>) -> tensor<2x40xf32>
    %cst_3 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %25 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<2x40xf32>
    %26 = stablehlo.maximum %25, %24 : tensor<2x40xf32>
    %27 = stablehlo.broadcast_in_dim %26, dims = [0, 1] : (tensor<2x40xf32>) -> tensor<2x40x1xf32>
    %28 = stablehlo.broadcast_in_dim %27, dims = [0, 1, 2] : (tensor<2x40x1xf32>) -> tensor<2x40x40xf32>
    %29 = stablehlo.subtract %23, %28 : tensor<2x40x40xf32>
    %30 = stablehlo.exponential %29 : tensor<2x40x40xf32>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %31 = stablehlo.reduce(%30 init: %cst_4) applies stablehlo.add across dimensions = [2] : (tensor<2x40x40xf32>, tensor<f32>) -> tensor<2x40xf32>
    %32 = stablehlo.broadcast_in_dim %31, dims = [0, 1] : (tensor<2x40xf32>) -> tensor<2x40x1xf32>
    %33 = stablehlo.broadcast_in_dim %32, dims = [0, 1, 2] : (tensor<2x40x1xf32>) -> tensor<2x40x40xf32>
    %34 = stablehlo.divide %30, %33 : tensor<2x40x40xf32>
    %35 = stablehlo.dot_general %34, %arg2, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x40x40xf32>, tensor<2x40x16xf32>) -> tensor<2x40x16xf32>
    return %35 : tensor<2x40x16xf32>
  }
  func.func private @_where(%arg0: tensor<40x40xi1>, %arg1: tensor<2x40x40xf32>, %arg2: tensor<f32>) -> tensor<2x40x40xf32> {
    %0 = stablehlo.convert %arg2 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %arg0, dims = [1, 2] : (tensor<40x40xi1>) -> tensor<2x40x40xi1>
    %2 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<2x40x40xf32>
    %3 = stablehlo.select %1, %arg1, %2 : tensor<2x40x40xi1>, tensor<2x40x40xf32>
    return %3 : tensor<2x40x40xf32>
  }
}
