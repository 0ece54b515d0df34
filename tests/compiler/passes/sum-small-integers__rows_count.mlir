// tolerance: 0
// in: draw 1 -1 9.5367431640625e-07 2097153
module @module {
  func.func public @main(%0: tensor<40x30xf32>) -> (tensor<40xi32>, tensor<40x30xi32>, tensor<4xi32>, tensor<40xi32>, tensor<30xi32>) {
    %1 = "stablehlo.constant"() <{value = dense<0.000000000e+00> : tensor<f32>}> : () -> (tensor<f32>)
    %2 = "stablehlo.broadcast_in_dim"(%1) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> (tensor<40x30xf32>)
    %3 = "stablehlo.compare"(%0, %2) <{compare_type = "FLOAT", comparison_direction = "GT"}> : (tensor<40x30xf32>, tensor<40x30xf32>) -> (tensor<40x30xi1>)
    %4 = "stablehlo.convert"(%3) : (tensor<40x30xi1>) -> (tensor<40x30xi32>)
    %5 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> (tensor<i32>)
    %6 = "stablehlo.reduce"(%4, %5) <{dimensions = array<i64: 1>}> ({
    ^bb0(%7: tensor<i32>, %8: tensor<i32>):
      %9 = "stablehlo.add"(%7, %8) : (tensor<i32>, tensor<i32>) -> (tensor<i32>)
      "stablehlo.return"(%9) : (tensor<i32>) -> ()
    }) : (tensor<40x30xi32>, tensor<i32>) -> (tensor<40xi32>)
    %10 = "stablehlo.constant"() <{value = dense<5.000000000e-01> : tensor<f32>}> : () -> (tensor<f32>)
    %11 = "stablehlo.broadcast_in_dim"(%10) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> (tensor<40x30xf32>)
    %12 = "stablehlo.compare"(%0, %11) <{compare_type = "FLOAT", comparison_direction = "GT"}> : (tensor<40x30xf32>, tensor<40x30xf32>) -> (tensor<40x30xi1>)
    %13 = "stablehlo.convert"(%12) : (tensor<40x30xi1>) -> (tensor<40x30xi32>)
    %48 = "stablehlo.broadcast_in_dim"(%5) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> (tensor<i32>)
    %52 = "stablehlo.reduce_window"(%13, %48) <{base_dilations = array<i64: 1, 1>, padding = array<i64: 39, 0, 0, 0>, window_dilations = array<i64: 1, 1>, window_dimensions = array<i64: 40, 1>, window_strides = array<i64: 1, 1>}> ({
    ^bb0(%49: tensor<i32>, %50: tensor<i32>):
      %51 = "stablehlo.add"(%49, %50) : (tensor<i32>, tensor<i32>) -> (tensor<i32>)
      "stablehlo.return"(%51) : (tensor<i32>) -> ()
    }) : (tensor<40x30xi32>, tensor<i32>) -> (tensor<40x30xi32>)
    %15 = "stablehlo.abs"(%0) : (tensor<40x30xf32>) -> (tensor<40x30xf32>)
    %16 = "stablehlo.convert"(%15) : (tensor<40x30xf32>) -> (tensor<40x30xi32>)
    %53 = "stablehlo.broadcast_in_dim"(%16) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<40x30xi32>) -> (tensor<40x30x1xi32>)
    %54 = "stablehlo.iota"() <{iota_dimension = 2 : i64}> : () -> (tensor<1x1x4xi32>)
    %55 = "stablehlo.broadcast_in_dim"(%53) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<40x30x1xi32>) -> (tensor<40x30x4xi32>)
    %56 = "stablehlo.broadcast_in_dim"(%54) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<1x1x4xi32>) -> (tensor<40x30x4xi32>)
    %57 = "stablehlo.compare"(%55, %56) <{compare_type = "SIGNED", comparison_direction = "EQ"}> : (tensor<40x30x4xi32>, tensor<40x30x4xi32>) -> (tensor<40x30x4xi1>)
    %58 = "stablehlo.convert"(%57) : (tensor<40x30x4xi1>) -> (tensor<40x30x4xi32>)
    %19 = "stablehlo.reduce"(%58, %5) <{dimensions = array<i64: 0, 1>}> ({
    ^bb0(%20: tensor<i32>, %21: tensor<i32>):
      %22 = "stablehlo.add"(%20, %21) : (tensor<i32>, tensor<i32>) -> (tensor<i32>)
      "stablehlo.return"(%22) : (tensor<i32>) -> ()
    }) : (tensor<40x30x4xi32>, tensor<i32>) -> (tensor<4xi32>)
    %26 = "stablehlo.constant"() <{value = dense<1048576> : tensor<i32>}> : () -> (tensor<i32>)
    %27 = "stablehlo.constant"() <{value = dense<-3> : tensor<i32>}> : () -> (tensor<i32>)
    %60 = "stablehlo.broadcast_in_dim"(%26) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> (tensor<40x30xi32>)
    %61 = "stablehlo.broadcast_in_dim"(%27) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> (tensor<40x30xi32>)
    %62 = "stablehlo.select"(%3, %60, %61) : (tensor<40x30xi1>, tensor<40x30xi32>, tensor<40x30xi32>) -> (tensor<40x30xi32>)
    %30 = "stablehlo.reduce"(%62, %5) <{dimensions = array<i64: 1>}> ({
    ^bb0(%31: tensor<i32>, %32: tensor<i32>):
      %33 = "stablehlo.add"(%31, %32) : (tensor<i32>, tensor<i32>) -> (tensor<i32>)
      "stablehlo.return"(%33) : (tensor<i32>) -> ()
    }) : (tensor<40x30xi32>, tensor<i32>) -> (tensor<40xi32>)
    %36 = "stablehlo.compare"(%0, %2) <{compare_type = "FLOAT", comparison_direction = "LT"}> : (tensor<40x30xf32>, tensor<40x30xf32>) -> (tensor<40x30xi1>)
    %37 = "stablehlo.convert"(%36) : (tensor<40x30xi1>) -> (tensor<40x30xi32>)
    %68 = "stablehlo.reduce_window"(%37, %48) <{base_dilations = array<i64: 1, 1>, padding = array<i64: 0, 0, 29, 0>, window_dilations = array<i64: 1, 1>, window_dimensions = array<i64: 1, 30>, window_strides = array<i64: 1, 1>}> ({
    ^bb0(%65: tensor<i32>, %66: tensor<i32>):
      %67 = "stablehlo.add"(%65, %66) : (tensor<i32>, tensor<i32>) -> (tensor<i32>)
      "stablehlo.return"(%67) : (tensor<i32>) -> ()
    }) : (tensor<40x30xi32>, tensor<i32>) -> (tensor<40x30xi32>)
    %39 = "stablehlo.constant"() <{value = dense<3> : tensor<i32>}> : () -> (tensor<i32>)
    %40 = "stablehlo.broadcast_in_dim"(%39) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> (tensor<40x30xi32>)
    %41 = "stablehlo.multiply"(%68, %40) : (tensor<40x30xi32>, tensor<40x30xi32>) -> (tensor<40x30xi32>)
    %42 = "stablehlo.constant"() <{value = dense<-2147483648> : tensor<i32>}> : () -> (tensor<i32>)
    %43 = "stablehlo.reduce"(%41, %42) <{dimensions = array<i64: 0>}> ({
    ^bb0(%44: tensor<i32>, %45: tensor<i32>):
      %46 = "stablehlo.maximum"(%44, %45) : (tensor<i32>, tensor<i32>) -> (tensor<i32>)
      "stablehlo.return"(%46) : (tensor<i32>) -> ()
    }) : (tensor<40x30xi32>, tensor<i32>) -> (tensor<30xi32>)
    "stablehlo.return"(%6, %52, %19, %30, %43) : (tensor<40xi32>, tensor<40x30xi32>, tensor<4xi32>, tensor<40xi32>, tensor<30xi32>) -> ()
  }
  func.func private @cumsum(%0: tensor<40x30xi32>) -> (tensor<40x30xi32>) {
    %1 = "stablehlo.call"(%0) <{callee = @cumsum_0}> : (tensor<40x30xi32>) -> (tensor<40x30xi32>)
    "stablehlo.return"(%1) : (tensor<40x30xi32>) -> ()
  }
  func.func private @cumsum_0(%0: tensor<40x30xi32>) -> (tensor<40x30xi32>) {
    %1 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> (tensor<i32>)
    %2 = "stablehlo.broadcast_in_dim"(%1) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> (tensor<i32>)
    %3 = "stablehlo.reduce_window"(%0, %2) <{base_dilations = array<i64: 1, 1>, padding = array<i64: 39, 0, 0, 0>, window_dilations = array<i64: 1, 1>, window_dimensions = array<i64: 40, 1>, window_strides = array<i64: 1, 1>}> ({
    ^bb0(%4: tensor<i32>, %5: tensor<i32>):
      %6 = "stablehlo.add"(%4, %5) : (tensor<i32>, tensor<i32>) -> (tensor<i32>)
      "stablehlo.return"(%6) : (tensor<i32>) -> ()
    }) : (tensor<40x30xi32>, tensor<i32>) -> (tensor<40x30xi32>)
    "stablehlo.return"(%3) : (tensor<40x30xi32>) -> ()
  }
  func.func private @_one_hot(%0: tensor<40x30xi32>) -> (tensor<40x30x4xi32>) {
    %1 = "stablehlo.broadcast_in_dim"(%0) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<40x30xi32>) -> (tensor<40x30x1xi32>)
    %2 = "stablehlo.iota"() <{iota_dimension = 2 : i64}> : () -> (tensor<1x1x4xi32>)
    %3 = "stablehlo.broadcast_in_dim"(%1) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<40x30x1xi32>) -> (tensor<40x30x4xi32>)
    %4 = "stablehlo.broadcast_in_dim"(%2) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<1x1x4xi32>) -> (tensor<40x30x4xi32>)
    %5 = "stablehlo.compare"(%3, %4) <{compare_type = "SIGNED", comparison_direction = "EQ"}> : (tensor<40x30x4xi32>, tensor<40x30x4xi32>) -> (tensor<40x30x4xi1>)
    %6 = "stablehlo.convert"(%5) : (tensor<40x30x4xi1>) -> (tensor<40x30x4xi32>)
    "stablehlo.return"(%6) : (tensor<40x30x4xi32>) -> ()
  }
  func.func private @_where(%0: tensor<40x30xi1>, %1: tensor<i32>, %2: tensor<i32>) -> (tensor<40x30xi32>) {
    %3 = "stablehlo.convert"(%2) : (tensor<i32>) -> (tensor<i32>)
    %4 = "stablehlo.broadcast_in_dim"(%1) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> (tensor<40x30xi32>)
    %5 = "stablehlo.broadcast_in_dim"(%3) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> (tensor<40x30xi32>)
    %6 = "stablehlo.select"(%0, %4, %5) : (tensor<40x30xi1>, tensor<40x30xi32>, tensor<40x30xi32>) -> (tensor<40x30xi32>)
    "stablehlo.return"(%6) : (tensor<40x30xi32>) -> ()
  }
  func.func private @cumsum_1(%0: tensor<40x30xi32>) -> (tensor<40x30xi32>) {
    %1 = "stablehlo.call"(%0) <{callee = @cumsum_2}> : (tensor<40x30xi32>) -> (tensor<40x30xi32>)
    "stablehlo.return"(%1) : (tensor<40x30xi32>) -> ()
  }
  func.func private @cumsum_2(%0: tensor<40x30xi32>) -> (tensor<40x30xi32>) {
    %1 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> (tensor<i32>)
    %2 = "stablehlo.broadcast_in_dim"(%1) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> (tensor<i32>)
    %3 = "stablehlo.reduce_window"(%0, %2) <{base_dilations = array<i64: 1, 1>, padding = array<i64: 0, 0, 29, 0>, window_dilations = array<i64: 1, 1>, window_dimensions = array<i64: 1, 30>, window_strides = array<i64: 1, 1>}> ({
    ^bb0(%4: tensor<i32>, %5: tensor<i32>):
      %6 = "stablehlo.add"(%4, %5) : (tensor<i32>, tensor<i32>) -> (tensor<i32>)
      "stablehlo.return"(%6) : (tensor<i32>) -> ()
    }) : (tensor<40x30xi32>, tensor<i32>) -> (tensor<40x30xi32>)
    "stablehlo.return"(%3) : (tensor<40x30xi32>) -> ()
  }
}
// -----
module @module {
  func.func public @main(%0: tensor<40x30xf32>) -> (tensor<40xi32>, tensor<40x30xi32>, tensor<4xi32>, tensor<40xi32>, tensor<30xi32>) {
    %1 = "stablehlo.constant"() <{value = dense<0.000000000e+00> : tensor<f32>}> : () -> (tensor<f32>)
    %2 = "stablehlo.broadcast_in_dim"(%1) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> (tensor<40x30xf32>)
    %3 = "stablehlo.compare"(%0, %2) <{compare_type = "FLOAT", comparison_direction = "GT"}> : (tensor<40x30xf32>, tensor<40x30xf32>) -> (tensor<40x30xi1>)
    %4 = "stablehlo.convert"(%3) : (tensor<40x30xi1>) -> (tensor<40x30xi32>)
    %5 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> (tensor<i32>)
    %54 = "stablehlo.convert"(%4) : (tensor<40x30xi32>) -> (tensor<40x30xf32>)
    %55 = "stablehlo.constant"() <{value = dense<0.000000000e+00> : tensor<f32>}> : () -> (tensor<f32>)
    %56 = "stablehlo.broadcast_in_dim"(%55) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> (tensor<f32>)
    %57 = "stablehlo.reduce"(%54, %56) <{dimensions = array<i64: 1>}> ({
    ^bb0(%58: tensor<f32>, %59: tensor<f32>):
      %60 = "stablehlo.add"(%58, %59) : (tensor<f32>, tensor<f32>) -> (tensor<f32>)
      "stablehlo.return"(%60) : (tensor<f32>) -> ()
    }) : (tensor<40x30xf32>, tensor<f32>) -> (tensor<40xf32>)
    %6 = "stablehlo.convert"(%57) : (tensor<40xf32>) -> (tensor<40xi32>)
    %10 = "stablehlo.constant"() <{value = dense<5.000000000e-01> : tensor<f32>}> : () -> (tensor<f32>)
    %11 = "stablehlo.broadcast_in_dim"(%10) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> (tensor<40x30xf32>)
    %12 = "stablehlo.compare"(%0, %11) <{compare_type = "FLOAT", comparison_direction = "GT"}> : (tensor<40x30xf32>, tensor<40x30xf32>) -> (tensor<40x30xi1>)
    %13 = "stablehlo.convert"(%12) : (tensor<40x30xi1>) -> (tensor<40x30xi32>)
    %14 = "stablehlo.broadcast_in_dim"(%5) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> (tensor<i32>)
    %61 = "stablehlo.convert"(%13) : (tensor<40x30xi32>) -> (tensor<40x30xf32>)
    %62 = "stablehlo.constant"() <{value = dense<0.000000000e+00> : tensor<f32>}> : () -> (tensor<f32>)
    %63 = "stablehlo.broadcast_in_dim"(%62) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> (tensor<f32>)
    %64 = "stablehlo.reduce_window"(%61, %63) <{base_dilations = array<i64: 1, 1>, padding = array<i64: 39, 0, 0, 0>, window_dilations = array<i64: 1, 1>, window_dimensions = array<i64: 40, 1>, window_strides = array<i64: 1, 1>}> ({
    ^bb0(%65: tensor<f32>, %66: tensor<f32>):
      %67 = "stablehlo.add"(%65, %66) : (tensor<f32>, tensor<f32>) -> (tensor<f32>)
      "stablehlo.return"(%67) : (tensor<f32>) -> ()
    }) : (tensor<40x30xf32>, tensor<f32>) -> (tensor<40x30xf32>)
    %15 = "stablehlo.convert"(%64) : (tensor<40x30xf32>) -> (tensor<40x30xi32>)
    %19 = "stablehlo.abs"(%0) : (tensor<40x30xf32>) -> (tensor<40x30xf32>)
    %20 = "stablehlo.convert"(%19) : (tensor<40x30xf32>) -> (tensor<40x30xi32>)
    %21 = "stablehlo.broadcast_in_dim"(%20) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<40x30xi32>) -> (tensor<40x30x1xi32>)
    %22 = "stablehlo.iota"() <{iota_dimension = 2 : i64}> : () -> (tensor<1x1x4xi32>)
    %23 = "stablehlo.broadcast_in_dim"(%21) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<40x30x1xi32>) -> (tensor<40x30x4xi32>)
    %24 = "stablehlo.broadcast_in_dim"(%22) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<1x1x4xi32>) -> (tensor<40x30x4xi32>)
    %25 = "stablehlo.compare"(%23, %24) <{compare_type = "SIGNED", comparison_direction = "EQ"}> : (tensor<40x30x4xi32>, tensor<40x30x4xi32>) -> (tensor<40x30x4xi1>)
    %26 = "stablehlo.convert"(%25) : (tensor<40x30x4xi1>) -> (tensor<40x30x4xi32>)
    %68 = "stablehlo.convert"(%26) : (tensor<40x30x4xi32>) -> (tensor<40x30x4xf32>)
    %69 = "stablehlo.constant"() <{value = dense<0.000000000e+00> : tensor<f32>}> : () -> (tensor<f32>)
    %70 = "stablehlo.broadcast_in_dim"(%69) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> (tensor<f32>)
    %71 = "stablehlo.reduce"(%68, %70) <{dimensions = array<i64: 0, 1>}> ({
    ^bb0(%72: tensor<f32>, %73: tensor<f32>):
      %74 = "stablehlo.add"(%72, %73) : (tensor<f32>, tensor<f32>) -> (tensor<f32>)
      "stablehlo.return"(%74) : (tensor<f32>) -> ()
    }) : (tensor<40x30x4xf32>, tensor<f32>) -> (tensor<4xf32>)
    %27 = "stablehlo.convert"(%71) : (tensor<4xf32>) -> (tensor<4xi32>)
    %31 = "stablehlo.constant"() <{value = dense<1048576> : tensor<i32>}> : () -> (tensor<i32>)
    %32 = "stablehlo.constant"() <{value = dense<-3> : tensor<i32>}> : () -> (tensor<i32>)
    %33 = "stablehlo.broadcast_in_dim"(%31) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> (tensor<40x30xi32>)
    %34 = "stablehlo.broadcast_in_dim"(%32) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> (tensor<40x30xi32>)
    %35 = "stablehlo.select"(%3, %33, %34) : (tensor<40x30xi1>, tensor<40x30xi32>, tensor<40x30xi32>) -> (tensor<40x30xi32>)
    %36 = "stablehlo.reduce"(%35, %5) <{dimensions = array<i64: 1>}> ({
    ^bb0(%37: tensor<i32>, %38: tensor<i32>):
      %39 = "stablehlo.add"(%37, %38) : (tensor<i32>, tensor<i32>) -> (tensor<i32>)
      "stablehlo.return"(%39) : (tensor<i32>) -> ()
    }) : (tensor<40x30xi32>, tensor<i32>) -> (tensor<40xi32>)
    %40 = "stablehlo.compare"(%0, %2) <{compare_type = "FLOAT", comparison_direction = "LT"}> : (tensor<40x30xf32>, tensor<40x30xf32>) -> (tensor<40x30xi1>)
    %41 = "stablehlo.convert"(%40) : (tensor<40x30xi1>) -> (tensor<40x30xi32>)
    %75 = "stablehlo.convert"(%41) : (tensor<40x30xi32>) -> (tensor<40x30xf32>)
    %76 = "stablehlo.constant"() <{value = dense<0.000000000e+00> : tensor<f32>}> : () -> (tensor<f32>)
    %77 = "stablehlo.broadcast_in_dim"(%76) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> (tensor<f32>)
    %78 = "stablehlo.reduce_window"(%75, %77) <{base_dilations = array<i64: 1, 1>, padding = array<i64: 0, 0, 29, 0>, window_dilations = array<i64: 1, 1>, window_dimensions = array<i64: 1, 30>, window_strides = array<i64: 1, 1>}> ({
    ^bb0(%79: tensor<f32>, %80: tensor<f32>):
      %81 = "stablehlo.add"(%79, %80) : (tensor<f32>, tensor<f32>) -> (tensor<f32>)
      "stablehlo.return"(%81) : (tensor<f32>) -> ()
    }) : (tensor<40x30xf32>, tensor<f32>) -> (tensor<40x30xf32>)
    %42 = "stablehlo.convert"(%78) : (tensor<40x30xf32>) -> (tensor<40x30xi32>)
    %46 = "stablehlo.constant"() <{value = dense<3> : tensor<i32>}> : () -> (tensor<i32>)
    %47 = "stablehlo.broadcast_in_dim"(%46) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> (tensor<40x30xi32>)
    %48 = "stablehlo.multiply"(%42, %47) : (tensor<40x30xi32>, tensor<40x30xi32>) -> (tensor<40x30xi32>)
    %49 = "stablehlo.constant"() <{value = dense<-2147483648> : tensor<i32>}> : () -> (tensor<i32>)
    %50 = "stablehlo.reduce"(%48, %49) <{dimensions = array<i64: 0>}> ({
    ^bb0(%51: tensor<i32>, %52: tensor<i32>):
      %53 = "stablehlo.maximum"(%51, %52) : (tensor<i32>, tensor<i32>) -> (tensor<i32>)
      "stablehlo.return"(%53) : (tensor<i32>) -> ()
    }) : (tensor<40x30xi32>, tensor<i32>) -> (tensor<30xi32>)
    "stablehlo.return"(%6, %15, %27, %36, %50) : (tensor<40xi32>, tensor<40x30xi32>, tensor<4xi32>, tensor<40xi32>, tensor<30xi32>) -> ()
  }
  func.func private @cumsum(%0: tensor<40x30xi32>) -> (tensor<40x30xi32>) {
    %1 = "stablehlo.call"(%0) <{callee = @cumsum_0}> : (tensor<40x30xi32>) -> (tensor<40x30xi32>)
    "stablehlo.return"(%1) : (tensor<40x30xi32>) -> ()
  }
  func.func private @cumsum_0(%0: tensor<40x30xi32>) -> (tensor<40x30xi32>) {
    %1 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> (tensor<i32>)
    %2 = "stablehlo.broadcast_in_dim"(%1) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> (tensor<i32>)
    %3 = "stablehlo.reduce_window"(%0, %2) <{base_dilations = array<i64: 1, 1>, padding = array<i64: 39, 0, 0, 0>, window_dilations = array<i64: 1, 1>, window_dimensions = array<i64: 40, 1>, window_strides = array<i64: 1, 1>}> ({
    ^bb0(%4: tensor<i32>, %5: tensor<i32>):
      %6 = "stablehlo.add"(%4, %5) : (tensor<i32>, tensor<i32>) -> (tensor<i32>)
      "stablehlo.return"(%6) : (tensor<i32>) -> ()
    }) : (tensor<40x30xi32>, tensor<i32>) -> (tensor<40x30xi32>)
    "stablehlo.return"(%3) : (tensor<40x30xi32>) -> ()
  }
  func.func private @_one_hot(%0: tensor<40x30xi32>) -> (tensor<40x30x4xi32>) {
    %1 = "stablehlo.broadcast_in_dim"(%0) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<40x30xi32>) -> (tensor<40x30x1xi32>)
    %2 = "stablehlo.iota"() <{iota_dimension = 2 : i64}> : () -> (tensor<1x1x4xi32>)
    %3 = "stablehlo.broadcast_in_dim"(%1) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<40x30x1xi32>) -> (tensor<40x30x4xi32>)
    %4 = "stablehlo.broadcast_in_dim"(%2) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<1x1x4xi32>) -> (tensor<40x30x4xi32>)
    %5 = "stablehlo.compare"(%3, %4) <{compare_type = "SIGNED", comparison_direction = "EQ"}> : (tensor<40x30x4xi32>, tensor<40x30x4xi32>) -> (tensor<40x30x4xi1>)
    %6 = "stablehlo.convert"(%5) : (tensor<40x30x4xi1>) -> (tensor<40x30x4xi32>)
    "stablehlo.return"(%6) : (tensor<40x30x4xi32>) -> ()
  }
  func.func private @_where(%0: tensor<40x30xi1>, %1: tensor<i32>, %2: tensor<i32>) -> (tensor<40x30xi32>) {
    %3 = "stablehlo.convert"(%2) : (tensor<i32>) -> (tensor<i32>)
    %4 = "stablehlo.broadcast_in_dim"(%1) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> (tensor<40x30xi32>)
    %5 = "stablehlo.broadcast_in_dim"(%3) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> (tensor<40x30xi32>)
    %6 = "stablehlo.select"(%0, %4, %5) : (tensor<40x30xi1>, tensor<40x30xi32>, tensor<40x30xi32>) -> (tensor<40x30xi32>)
    "stablehlo.return"(%6) : (tensor<40x30xi32>) -> ()
  }
  func.func private @cumsum_1(%0: tensor<40x30xi32>) -> (tensor<40x30xi32>) {
    %1 = "stablehlo.call"(%0) <{callee = @cumsum_2}> : (tensor<40x30xi32>) -> (tensor<40x30xi32>)
    "stablehlo.return"(%1) : (tensor<40x30xi32>) -> ()
  }
  func.func private @cumsum_2(%0: tensor<40x30xi32>) -> (tensor<40x30xi32>) {
    %1 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> (tensor<i32>)
    %2 = "stablehlo.broadcast_in_dim"(%1) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> (tensor<i32>)
    %3 = "stablehlo.reduce_window"(%0, %2) <{base_dilations = array<i64: 1, 1>, padding = array<i64: 0, 0, 29, 0>, window_dilations = array<i64: 1, 1>, window_dimensions = array<i64: 1, 30>, window_strides = array<i64: 1, 1>}> ({
    ^bb0(%4: tensor<i32>, %5: tensor<i32>):
      %6 = "stablehlo.add"(%4, %5) : (tensor<i32>, tensor<i32>) -> (tensor<i32>)
      "stablehlo.return"(%6) : (tensor<i32>) -> ()
    }) : (tensor<40x30xi32>, tensor<i32>) -> (tensor<40x30xi32>)
    "stablehlo.return"(%3) : (tensor<40x30xi32>) -> ()
  }
}
