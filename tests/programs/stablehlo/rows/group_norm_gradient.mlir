// tolerance: 0.0002
// in: draw 4 -1 9.5367431640625e-07 2097153
// in: draw 1 -1 9.5367431640625e-07 2097153
// in: draw 2 -1 9.5367431640625e-07 2097153
// in: draw 3 -1 9.5367431640625e-07 2097153
// out: sums 26.9794487 -46.7340802 0.934021096 -37.5701005 2.90984875 -13.0003889 17.9950033 22.667291 25.1427771 -37.9578876 23.991673 -25.9394657 17.967437 6.89530574 -6.72783216 10.553561
// out: -14.1922302 -15.2697821 2.80764508 -23.7697563 5.85324192 -21.4900894 19.8695068 -11.2009602 38.7670784 -1.98245001 7.1156559 -38.0884857
// out: 4.2560339 1.31944466 -2.29408169 -15.8979673 28.546175 14.3212757 -11.5255051 7.55614662 16.8173294 14.0198574 0.48866272 -22.0622864
// cost: 48 instructions, 2080708 ticks
module {
  func.func public @main(%arg0: tensor<2x12x16x20xf32>, %arg1: tensor<2x12x16x20xf32>, %arg2: tensor<12xf32>, %arg3: tensor<12xf32>) -> (tensor<2x12x16x20xf32>, tensor<12xf32>, tensor<12xf32>) {
    %0 = stablehlo.reshape %arg1 : (tensor<2x12x16x20xf32>) -> tensor<2x4x960xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1 = stablehlo.reduce(%0 init: %cst) applies stablehlo.add across dimensions = [2] : (tensor<2x4x960xf32>, tensor<f32>) -> tensor<2x4xf32>
    %2 = stablehlo.broadcast_in_dim %1, dims = [0, 1] : (tensor<2x4xf32>) -> tensor<2x4x1xf32>
    %cst_0 = stablehlo.constant dense<9.600000e+02> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<2x4x1xf32>
    %4 = stablehlo.divide %2, %3 : tensor<2x4x1xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %5:5 = call @_var(%0, %c) : (tensor<2x4x960xf32>, tensor<i32>) -> (tensor<2x4x1xf32>, tensor<2x4x960xf32>, tensor<f32>, tensor<i1>, tensor<2x4x1xf32>)
    %6 = stablehlo.broadcast_in_dim %4, dims = [0, 1, 2] : (tensor<2x4x1xf32>) -> tensor<2x4x960xf32>
    %7 = stablehlo.subtract %0, %6 : tensor<2x4x960xf32>
    %cst_1 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %8 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<2x4x1xf32>
    %9 = stablehlo.add %5#0, %8 : tensor<2x4x1xf32>
    %10 = stablehlo.rsqrt %9 : tensor<2x4x1xf32>
    %11 = stablehlo.divide %10, %9 : tensor<2x4x1xf32>
    %cst_2 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %12 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<2x4x1xf32>
    %13 = stablehlo.multiply %12, %11 : tensor<2x4x1xf32>
    %14 = stablehlo.broadcast_in_dim %10, dims = [0, 1, 2] : (tensor<2x4x1xf32>) -> tensor<2x4x960xf32>
    %15 = stablehlo.multiply %7, %14 : tensor<2x4x960xf32>
    %16 = stablehlo.reshape %15 : (tensor<2x4x960xf32>) -> tensor<2x12x16x20xf32>
    %17 = stablehlo.broadcast_in_dim %arg2, dims = [0] : (tensor<12xf32>) -> tensor<12x1x1xf32>
    %18 = stablehlo.broadcast_in_dim %17, dims = [1, 2, 3] : (tensor<12x1x1xf32>) -> tensor<1x12x1x1xf32>
    %19 = stablehlo.broadcast_in_dim %18, dims = [0, 1, 2, 3] : (tensor<1x12x1x1xf32>) -> tensor<2x12x16x20xf32>
    %20 = stablehlo.multiply %16, %19 : tensor<2x12x16x20xf32>
    %21 = stablehlo.broadcast_in_dim %arg3, dims = [0] : (tensor<12xf32>) -> tensor<12x1x1xf32>
    %22 = stablehlo.broadcast_in_dim %21, dims = [1, 2, 3] : (tensor<12x1x1xf32>) -> tensor<1x12x1x1xf32>
    %23 = stablehlo.broadcast_in_dim %22, dims = [0, 1, 2, 3] : (tensor<1x12x1x1xf32>) -> tensor<2x12x16x20xf32>
    %24 = stablehlo.add %20, %23 : tensor<2x12x16x20xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %25 = stablehlo.reduce(%arg0 init: %cst_3) applies stablehlo.add across dimensions = [0, 2, 3] : (tensor<2x12x16x20xf32>, tensor<f32>) -> tensor<12xf32>
    %26 = stablehlo.reshape %25 : (tensor<12xf32>) -> tensor<1x12x1x1xf32>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %27 = stablehlo.reduce(%26 init: %cst_4) applies stablehlo.add across dimensions = [0, 2, 3] : (tensor<1x12x1x1xf32>, tensor<f32>) -> tensor<12xf32>
    %28 = stablehlo.broadcast_in_dim %27, dims = [0] : (tensor<12xf32>) -> tensor<12x1x1xf32>
    %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %29 = stablehlo.reduce(%28 init: %cst_5) applies stablehlo.add across dimensions = [1, 2] : (tensor<12x1x1xf32>, tensor<f32>) -> tensor<12xf32>
    %30 = stablehlo.multiply %16, %arg0 : tensor<2x12x16x20xf32>
    %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %31 = stablehlo.reduce(%30 init: %cst_6) applies stablehlo.add across dimensions = [0, 2, 3] : (tensor<2x12x16x20xf32>, tensor<f32>) -> tensor<12xf32>
    %32 = stablehlo.reshape %31 : (tensor<12xf32>) -> tensor<1x12x1x1xf32>
    %33 = stablehlo.broadcast_in_dim %18, dims = [0, 1, 2, 3] : (tensor<1x12x1x1xf32>) -> tensor<2x12x16x20xf32>
    %34 = stablehlo.multiply %arg0, %33 : tensor<2x12x16x20xf32>
    %cst_7 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %35 = stablehlo.reduce(%32 init: %cst_7) applies stablehlo.add across dimensions = [0, 2, 3] : (tensor<1x12x1x1xf32>, tensor<f32>) -> tensor<12xf32>
    %36 = stablehlo.broadcast_in_dim %35, dims = [0] : (tensor<12xf32>) -> tensor<12x1x1xf32>
    %cst_8 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %37 = stablehlo.reduce(%36 init: %cst_8) applies stablehlo.add across dimensions = [1, 2] : (tensor<12x1x1xf32>, tensor<f32>) -> tensor<12xf32>
    %38 = stablehlo.reshape %34 : (tensor<2x12x16x20xf32>) -> tensor<2x4x960xf32>
    %39 = stablehlo.multiply %7, %38 : tensor<2x4x960xf32>
    %cst_9 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %40 = stablehlo.reduce(%39 init: %cst_9) applies stablehlo.add across dimensions = [2] : (tensor<2x4x960xf32>, tensor<f32>) -> tensor<2x4xf32>
    %41 = stablehlo.reshape %40 : (tensor<2x4xf32>) -> tensor<2x4x1xf32>
    %42 = stablehlo.broadcast_in_dim %10, dims = [0, 1, 2] : (tensor<2x4x1xf32>) -> tensor<2x4x960xf32>
    %43 = stablehlo.multiply %38, %42 : tensor<2x4x960xf32>
    %44 = stablehlo.multiply %41, %13 : tensor<2x4x1xf32>
    %45 = stablehlo.negate %43 : tensor<2x4x960xf32>
    %cst_10 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %46 = stablehlo.reduce(%45 init: %cst_10) applies stablehlo.add across dimensions = [2] : (tensor<2x4x960xf32>, tensor<f32>) -> tensor<2x4xf32>
    %47 = stablehlo.reshape %46 : (tensor<2x4xf32>) -> tensor<2x4x1xf32>
    %48 = call @_var_0(%5#1, %5#2, %5#3, %5#4, %44) : (tensor<2x4x960xf32>, tensor<f32>, tensor<i1>, tensor<2x4x1xf32>, tensor<2x4x1xf32>) -> tensor<2x4x960xf32>
    %49 = stablehlo.add %43, %48 : tensor<2x4x960xf32>
    %cst_11 = stablehlo.constant dense<9.600000e+02> : tensor<f32>
    %50 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<2x4x1xf32>
    %51 = stablehlo.divide %47, %50 : tensor<2x4x1xf32>
    %cst_12 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %52 = stablehlo.reduce(%51 init: %cst_12) applies stablehlo.add across dimensions = [2] : (tensor<2x4x1xf32>, tensor<f32>) -> tensor<2x4xf32>
    %53 = stablehlo.broadcast_in_dim %52, dims = [0, 1] : (tensor<2x4xf32>) -> tensor<2x4x960xf32>
    %54 = stablehlo.add %49, %53 : tensor<2x4x960xf32>
    %55 = stablehlo.reshape %54 : (tensor<2x4x960xf32>) -> tensor<2x12x16x20xf32>
    return %55, %37, %29 : tensor<2x12x16x20xf32>, tensor<12xf32>, tensor<12xf32>
  }
  func.func private @_var(%arg0: tensor<2x4x960xf32>, %arg1: tensor<i32>) -> (tensor<2x4x1xf32>, tensor<2x4x960xf32>, tensor<f32>, tensor<i1>, tensor<2x4x1xf32>) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.reduce(%arg0 init: %cst) applies stablehlo.add across dimensions = [2] : (tensor<2x4x960xf32>, tensor<f32>) -> tensor<2x4xf32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [0, 1] : (tensor<2x4xf32>) -> tensor<2x4x1xf32>
    %cst_0 = stablehlo.constant dense<9.600000e+02> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<2x4x1xf32>
    %3 = stablehlo.divide %1, %2 : tensor<2x4x1xf32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1, 2] : (tensor<2x4x1xf32>) -> tensor<2x4x960xf32>
    %5 = stablehlo.subtract %arg0, %4 : tensor<2x4x960xf32>
    %6 = chlo.square %5 : tensor<2x4x960xf32> -> tensor<2x4x960xf32>
    %cst_1 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %7 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<2x4x960xf32>
    %8 = stablehlo.multiply %7, %5 : tensor<2x4x960xf32>
    %9 = stablehlo.convert %arg1 : (tensor<i32>) -> tensor<f32>
    %cst_2 = stablehlo.constant dense<9.600000e+02> : tensor<f32>
    %10 = stablehlo.subtract %cst_2, %9 : tensor<f32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %11 = stablehlo.reduce(%6 init: %cst_3) applies stablehlo.add across dimensions = [2] : (tensor<2x4x960xf32>, tensor<f32>) -> tensor<2x4xf32>
    %12 = stablehlo.broadcast_in_dim %11, dims = [0, 1] : (tensor<2x4xf32>) -> tensor<2x4x1xf32>
    %13 = stablehlo.broadcast_in_dim %10, dims = [] : (tensor<f32>) -> tensor<2x4x1xf32>
    %14 = stablehlo.divide %12, %13 : tensor<2x4x1xf32>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %15 = stablehlo.compare GT, %10, %cst_4, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %cst_5 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %16:2 = call @_where(%15, %14, %cst_5) : (tensor<i1>, tensor<2x4x1xf32>, tensor<f32>) -> (tensor<2x4x1xf32>, tensor<2x4x1xf32>)
    return %16#0, %8, %10, %15, %16#1 : tensor<2x4x1xf32>, tensor<2x4x960xf32>, tensor<f32>, tensor<i1>, tensor<2x4x1xf32>
  }
  func.func private @_where(%arg0: tensor<i1>, %arg1: tensor<2x4x1xf32>, %arg2: tensor<f32>) -> (tensor<2x4x1xf32>, tensor<2x4x1xf32>) {
    %0 = stablehlo.convert %arg2 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<2x4x1xf32>
    %2 = stablehlo.select %arg0, %arg1, %1 : tensor<i1>, tensor<2x4x1xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x4x1xf32>
    return %2, %3 : tensor<2x4x1xf32>, tensor<2x4x1xf32>
  }
  func.func private @_var_0(%arg0: tensor<2x4x960xf32>, %arg1: tensor<f32>, %arg2: tensor<i1>, %arg3: tensor<2x4x1xf32>, %arg4: tensor<2x4x1xf32>) -> tensor<2x4x960xf32> {
    %0 = call @_where_1(%arg2, %arg3, %arg4) : (tensor<i1>, tensor<2x4x1xf32>, tensor<2x4x1xf32>) -> tensor<2x4x1xf32>
    %1 = stablehlo.broadcast_in_dim %arg1, dims = [] : (tensor<f32>) -> tensor<2x4x1xf32>
    %2 = stablehlo.divide %0, %1 : tensor<2x4x1xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3 = stablehlo.reduce(%2 init: %cst) applies stablehlo.add across dimensions = [2] : (tensor<2x4x1xf32>, tensor<f32>) -> tensor<2x4xf32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1] : (tensor<2x4xf32>) -> tensor<2x4x960xf32>
    %5 = stablehlo.multiply %4, %arg0 : tensor<2x4x960xf32>
    %6 = stablehlo.negate %5 : tensor<2x4x960xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %7 = stablehlo.reduce(%6 init: %cst_0) applies stablehlo.add across dimensions = [2] : (tensor<2x4x960xf32>, tensor<f32>) -> tensor<2x4xf32>
    %8 = stablehlo.reshape %7 : (tensor<2x4xf32>) -> tensor<2x4x1xf32>
    %cst_1 = stablehlo.constant dense<9.600000e+02> : tensor<f32>
    %9 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<2x4x1xf32>
    %10 = stablehlo.divide %8, %9 : tensor<2x4x1xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %11 = stablehlo.reduce(%10 init: %cst_2) applies stablehlo.add across dimensions = [2] : (tensor<2x4x1xf32>, tensor<f32>) -> tensor<2x4xf32>
    %12 = stablehlo.broadcast_in_dim %11, dims = [0, 1] : (tensor<2x4xf32>) -> tensor<2x4x960xf32>
    %13 = stablehlo.add %5, %12 : tensor<2x4x960xf32>
    return %13 : tensor<2x4x960xf32>
  }
  func.func private @_where_1(%arg0: tensor<i1>, %arg1: tensor<2x4x1xf32>, %arg2: tensor<2x4x1xf32>) -> tensor<2x4x1xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x4x1xf32>
    %1 = stablehlo.select %arg0, %arg2, %0 : tensor<i1>, tensor<2x4x1xf32>
    return %1 : tensor<2x4x1xf32>
  }
}
